#include "profiler/command/named_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

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

// What Python and the like run without a name: how such files end.
bool is_source(const fs::path& path) {
  constexpr std::array endings{".py", ".sh", ".pl", ".rb", ".R", ".jl", ".js", ".lua"};
  return std::find(endings.begin(), endings.end(), path.extension()) != endings.end();
}

// What an import can name; runs and their dates are no such names ("run-20261125_101500-3x/code",
// "2026-11-25").
bool is_identifier(std::string_view name) {
  const auto letter = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return !name.empty() && letter(name.front()) &&
         std::all_of(
             name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

// Of one folder, in order; nothing where there is too much to look at: those are data.
std::vector<fs::directory_entry> entries_of(const fs::path& folder) {
  constexpr std::size_t most_entries = 1000;
  std::vector<fs::directory_entry> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end;
       at.increment(error)) {
    if (entries.size() == most_entries) {
      return {};
    }
    entries.push_back(*at);
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

// Those in `folder` and in packages below it that end as `ending`; the first folders where there
// are many.
std::vector<fs::path> sources_below(const fs::path& folder, const fs::path& ending) {
  constexpr std::size_t most_folders = 1000;
  std::vector<fs::path> found;
  std::vector<fs::path> folders{folder};  // those near come first
  for (std::size_t i = 0; i < folders.size(); ++i) {
    for (const auto& entry : entries_of(folders[i])) {
      std::error_code error;
      const auto name = entry.path().filename().string();
      if (entry.is_directory(error) && !entry.is_symlink(error)) {
        if (is_identifier(name) && folders.size() < most_folders) {
          folders.push_back(entry.path());
        }
      } else if (!name.starts_with('.') && entry.path().extension() == ending &&
                 entry.is_regular_file(error)) {
        found.push_back(entry.path());
      }
    }
  }
  return found;
}

// Adds what the source file `name` may import.
void add_neighbours(const fs::path& name, std::map<std::string, std::string>& files) {
  const auto folder = name.has_parent_path() ? name.parent_path() : fs::path(".");
  std::string all;
  const auto sources = sources_below(folder, name.extension());
  for (const auto& source : sources) {
    std::error_code error;
    const auto bytes = fs::file_size(source, error);
    all += fmt::format("{} {}\n",
                       fs::relative(source, folder, error).string(),
                       error ? "" : digest_of(source, bytes));
  }
  if (sources.size() > 1) {  // itself is one
    files[(folder / ("*" + name.extension().string())).string()] = content_id(all);
  }
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
      if (is_source(name)) {
        add_neighbours(name, files);
      }
    }
  }
  return files;
}

}  // namespace rightsize
