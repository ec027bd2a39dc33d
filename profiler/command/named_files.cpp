#include "profiler/command/named_files.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "profiler/content_hash.h"

namespace rightsize {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_bytes = std::uintmax_t{16} << 20;

std::string digest_of(const fs::path& path, std::uintmax_t bytes) {
  if (bytes > most_bytes) {
    return fmt::format("{} bytes", bytes);
  }
  std::ifstream file(path, std::ios::binary);
  return content_id(std::string{std::istreambuf_iterator<char>(file), {}});
}

}  // namespace

std::map<std::string, std::string> named_files(const std::vector<std::string>& words) {
  std::map<std::string, std::string> files;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& word = words[i];
    if (i == 0 && word.find('/') == std::string::npos) {
      continue;  // looked up in PATH, not here
    }
    const auto equals = word.find('=');
    const bool whole = equals == std::string::npos || fs::path(word).is_absolute();
    const auto name = whole ? word : word.substr(equals + 1);
    std::error_code error;
    const auto bytes = fs::is_regular_file(name, error) ? fs::file_size(name, error) : 0;
    if (!error && fs::is_regular_file(name, error)) {
      files[name] = digest_of(name, bytes);
    }
  }
  return files;
}

}  // namespace rightsize
