// The page in a real browser, when one is installed: it opens offline, its script runs, and nothing
// is complained about on the console.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "advisor/report/html.h"
#include "advisor/report_fixture.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

std::string browser() {
  for (const auto* path :
       {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"}) {
    if (std::filesystem::exists(path)) {
      return path;
    }
  }
  return "";
}

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

TEST_CASE("page: a browser without a network opens it and has nothing to complain about") {
  const auto program = browser();
  if (program.empty()) {
    MESSAGE("skipped: no chromium on this machine");
    return;
  }
  const TemporaryFolder folder;
  const auto page = std::filesystem::path(folder.path()) / "report.html";
  std::ofstream(page) << report::html_report(test::hostile_report());
  // A proxy nobody listens on: whatever the page would load fails, and is logged.
  const auto dom =
      output_of("timeout 120 " + program +
                " --headless --no-sandbox --disable-gpu --disable-quic --no-first-run"
                " --disable-background-networking --disable-component-update --disable-sync"
                " --proxy-server=127.0.0.1:9 --enable-logging=stderr --virtual-time-budget=2000"
                " --user-data-dir='" +
                std::string(folder.path()) + "/profile' --dump-dom 'file://" + page.string() +
                "' 2>'" + std::string(folder.path()) + "/log'");
  std::ifstream log(std::filesystem::path(folder.path()) / "log");
  for (std::string line; std::getline(log, line);) {
    CHECK_MESSAGE(line.find("CONSOLE") == std::string::npos, line);
  }
  CHECK(dom.find("<button type=\"button\">instance</button>") != std::string::npos);
  CHECK(dom.find("id=\"recommendation\"") != std::string::npos);
}
