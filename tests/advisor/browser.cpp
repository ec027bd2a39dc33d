#include "advisor/browser.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace rightsize::test {
namespace {

std::string output_of(const std::string& command) {
  std::string out;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  std::size_t n = 0;
  while ((n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0) {
    out.append(buffer.data(), n);
  }
  ::pclose(pipe);
  return out;
}

}  // namespace

Browser::Browser() {
  for (const auto* path :
       {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"}) {
    if (program_.empty() && std::filesystem::exists(path)) {
      program_ = path;
    }
  }
}

std::string Browser::run(const std::string& flags, const std::string& url) const {
  return run_when_loaded("--virtual-time-budget=4000 " + flags, url);
}

std::string Browser::run_when_loaded(const std::string& flags, const std::string& url) const {
  return output_of(
      fmt::format("timeout 120 {} --headless --no-sandbox --disable-gpu --disable-quic "
                  "--no-first-run --disable-background-networking --disable-component-update "
                  "--disable-sync --hide-scrollbars --proxy-server=127.0.0.1:9 "
                  "--enable-logging=stderr --user-data-dir='{}' {} "
                  "'{}' 2>>'{}'",
                  program_,
                  folder_ / "profile",
                  flags,
                  url,
                  folder_ / "log"));
}

std::string Browser::log() const {
  std::ostringstream text;
  text << std::ifstream(folder_ / "log").rdbuf();
  return text.str();
}

}  // namespace rightsize::test
