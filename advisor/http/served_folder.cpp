#include "advisor/http/served_folder.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "advisor/query/usage_error.h"

namespace rightsize::http {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 3;       // folders in folders
constexpr int looked_at = 5000;  // files, of which few are jobs

// A path that begins at the root or at home, or climbs.
bool leaves_folder(std::string_view path) {
  if (path.starts_with('/') || path.starts_with('~')) {
    return true;
  }
  const fs::path parts(path);
  return std::any_of(parts.begin(), parts.end(), [](const fs::path& p) { return p == ".."; });
}

void check_networks(const toml::node& node, std::string_view where) {
  if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table) {
      check_networks(value, key.str());
    }
  } else if (const auto* array = node.as_array()) {
    for (const auto& value : *array) {
      check_networks(value, where);
    }
  } else if (const auto* text = node.as_string(); text != nullptr && where == "network") {
    check_inside(text->get(), where);
  }
}

// A job file has its [job]; a campaign, which also ends in .toml, has runs.
bool holds_job(const fs::path& path) {
  try {
    return toml::parse_file(path.string())["job"].is_table();
  } catch (const toml::parse_error&) {  // of it its reader tells, when it is asked for
    return false;
  }
}

}  // namespace

void check_inside(std::string_view value, std::string_view where) {
  for (std::size_t at = 0; at <= value.size();) {
    const auto end = std::min(value.find_first_of("=,", at), value.size());
    if (leaves_folder(value.substr(at, end - at))) {
      throw UsageError(fmt::format(
          "{}={}: names a file outside the folder that is served; copy it there", where, value));
    }
    at = end + 1;
  }
}

// Of all that a job file says only a network may be a file. What is no TOML is told by its reader.
void check_job_inside(const std::string& job) {
  try {
    check_networks(toml::parse(job), "");
  } catch (const toml::parse_error&) {
  }
}

std::vector<std::string> job_files(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code unreadable;
  std::error_code gone;  // since it was listed
  const auto options = fs::directory_options::skip_permission_denied;
  fs::recursive_directory_iterator entry(folder, options, unreadable);
  for (int seen = 0; !unreadable && entry != fs::end(entry) && seen < looked_at; ++seen) {
    const auto& path = entry->path();
    if (path.filename().string().starts_with('.') || entry.depth() >= deepest) {
      entry.disable_recursion_pending();
    } else if (path.extension() == ".toml" && entry->is_regular_file(gone) && holds_job(path)) {
      found.push_back(path.lexically_relative(folder).string());
    }
    entry.increment(unreadable);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace rightsize::http
