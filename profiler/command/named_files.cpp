#include "profiler/command/named_files.h"

#include <algorithm>
#include <array>
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

// What Python and the like run without a name: how such files end.
bool is_source(const fs::path& path) {
  constexpr std::array endings{".py", ".sh", ".pl", ".rb", ".R", ".jl", ".js", ".lua"};
  return std::find(endings.begin(), endings.end(), path.extension()) != endings.end();
}

// Those below `folder` that end as `ending`, in order; none where there is too much to look at.
std::vector<fs::path> sources_below(const fs::path& folder, const fs::path& ending) {
  constexpr int most_entries = 1000;
  std::vector<fs::path> found;
  std::error_code error;
  int entries = 0;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder, options, error), end; !error && at != end;
       at.increment(error)) {
    if (++entries > most_entries) {
      return {};
    }
    if (at->path().filename().string().starts_with('.')) {
      at.disable_recursion_pending();
    } else if (at->path().extension() == ending && fs::is_regular_file(at->path(), error)) {
      found.push_back(at->path());
    }
  }
  std::sort(found.begin(), found.end());
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
