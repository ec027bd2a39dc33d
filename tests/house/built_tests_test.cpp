// A test that no build names passes for ever.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <doctest/doctest.h>

namespace {

namespace fs = std::filesystem;

const fs::path tests = fs::path(RIGHTSIZE_SOURCE_DIR) / "tests";

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The sources that a file of the build names: words that end in ".cpp", whose folders are below its
// own, below all tests' or below the repository's.
void add_sources(const fs::path& file, std::set<fs::path>& sources) {
  std::ifstream in(file);
  for (std::string word; in >> word;) {
    const auto begin = word.find_last_of('(') + 1;
    const auto end = word.find(".cpp");
    if (end == std::string::npos || end <= begin) {
      continue;
    }
    const auto name = word.substr(begin, end - begin) + ".cpp";
    for (const auto& folder : {file.parent_path(), tests, tests.parent_path()}) {
      sources.insert((folder / name).lexically_normal());
    }
  }
}

std::set<fs::path> named_sources() {
  std::set<fs::path> sources;
  for (const auto& entry : fs::recursive_directory_iterator(tests)) {
    const auto& path = entry.path();
    if (path.filename() == "CMakeLists.txt" || path.extension() == ".cmake") {
      add_sources(path, sources);
    }
  }
  return sources;
}

}  // namespace

TEST_CASE("house: every file of tests is built") {
  const auto named = named_sources();
  int seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(tests)) {
    const auto stem = entry.path().stem().string();
    if (entry.path().extension() == ".cpp" && stem.ends_with("_test")) {
      CAPTURE(entry.path().string());
      CHECK(named.contains(entry.path().lexically_normal()));
      CHECK(text_of(entry.path()).find("TEST_CASE") != std::string::npos);
      ++seen;
    }
  }
  CHECK(seen > 200);
}
