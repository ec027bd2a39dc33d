#include "kernels/data/made_folder.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "kernels/data/file.h"

namespace rightsize {
namespace {

namespace fs = std::filesystem;

bool holds_files(const fs::path& folder) {
  const fs::directory_iterator entries(folder);
  return std::any_of(begin(entries), end(entries), [](const auto& entry) {
    return entry.path().filename() != "lost+found";  // a disk that was just formatted has it
  });
}

}  // namespace

void claim_folder(const std::string& directory, bool known) {
  try {
    fs::create_directories(directory);
    const auto mark = fs::path(directory) / "made_by_rightsize";
    if (fs::exists(mark)) {
      return;
    }
    if (!known && holds_files(directory)) {
      throw DataError(fmt::format(
          "{} holds files that dataset make did not put there; choose an empty folder", directory));
    }
    static_cast<void>(File::create(mark.string()));
  } catch (const fs::filesystem_error& error) {
    throw write_error(directory, 0, error.code().value());
  }
}

}  // namespace rightsize
