// The house rules of shared/design.md as a test: who may include whom.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

namespace fs = std::filesystem;

const fs::path root = RIGHTSIZE_SOURCE_DIR;

// room -> prefixes it may include besides itself
const std::map<std::string, std::vector<std::string>> allowed = {
    {"kernels", {}},
    {"profiler", {"kernels/"}},
    {"models",
     {"kernels/adapter_work.h",
      "kernels/adapters.h",
      "kernels/frozen_layers.h",
      "kernels/gibibyte.h",
      "kernels/known_network.h",
      "kernels/network.h",
      "kernels/network_blocks.h",
      "kernels/layer.h",
      "kernels/normal_distribution.h",
      "kernels/picture_work.h",
      "kernels/recurrence_work.h",
      "kernels/longer_sequence.h",
      "kernels/quantized_weights.h",
      "kernels/training_state.h",
      "kernels/tuning.h",
      "kernels/workload.h",
      "kernels/work.h",
      "profiler/histogram.h",
      "profiler/machine.h",
      "profiler/limits.h",
      "profiler/quantile.h",
      "profiler/record.h"}},
    {"pricing", {}},
    {"advisor", {"kernels/", "profiler/", "models/", "pricing/"}},
};

struct Include {
  std::string file;
  std::string target;
  bool quoted = false;
};

std::vector<Include> includes_of(const fs::path& room) {
  static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^">]+)[">])");
  std::vector<Include> found;
  for (const auto& entry : fs::recursive_directory_iterator(room)) {
    const auto extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp" && extension != ".cu" && extension != ".cuh") {
      continue;
    }
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      std::smatch match;
      if (std::regex_search(line, match, pattern)) {
        found.push_back({fs::relative(entry.path(), root).string(), match[2], match[1] == "\""});
      }
    }
  }
  return found;
}

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.rfind(prefix, 0) == 0;
}

bool may_include(const std::string& room, const std::string& target) {
  const bool generated = starts_with(target, "rightsize_") && target.find('/') == std::string::npos;
  if (starts_with(target, room + "/") || generated) {  // rightsize_embed() makes headers
    return true;
  }
  for (const auto& prefix : allowed.at(room)) {
    if (starts_with(target, prefix)) {
      return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("house: every quoted include follows an arrow of the design") {
  for (const auto& [room, prefixes] : allowed) {
    for (const auto& include : includes_of(root / room)) {
      if (include.quoted) {
        CHECK_MESSAGE(may_include(room, include.target),
                      include.file << " includes " << include.target);
      }
    }
  }
}

TEST_CASE("house: vendor headers stay in the folders they belong to") {
  const std::vector<std::pair<std::regex, std::string>> fences = {
      {std::regex("^(cuda|cudnn|cublas|nccl)[A-Za-z_]*(\\.h|/)"), "kernels/gpu/"},
      {std::regex("^oneapi/"), "kernels/cpu/"},
      {std::regex("^(lmdb|jpeglib)\\.h"), "kernels/data/"},
      {std::regex("^sqlite3\\.h"), "profiler/store/"},
      {std::regex("^boost/(beast|asio)"), "advisor/http/"},
      {std::regex("^fmt/color"), "advisor/report/"},
  };
  for (const auto& [room, prefixes] : allowed) {
    for (const auto& include : includes_of(root / room)) {
      for (const auto& [pattern, home] : fences) {
        if (std::regex_search(include.target, pattern)) {
          CHECK_MESSAGE(starts_with(include.file, home),
                        include.file << " includes " << include.target << ", allowed in " << home);
        }
      }
    }
  }
}

TEST_CASE("house: the top level holds the rooms and nothing else") {
  const std::vector<std::string> rooms = {
      "advisor", "profiler", "kernels", "models", "pricing", "tests", "examples"};
  for (const auto& entry : fs::directory_iterator(root)) {
    const auto name = entry.path().filename().string();
    if (!entry.is_directory() || name[0] == '.' || starts_with(name, "build")) {
      continue;
    }
    if (name == "demo" || name == "out") {  // what `./dev demo` makes, ignored by git
      continue;
    }
    CHECK_MESSAGE(std::find(rooms.begin(), rooms.end(), name) != rooms.end(), name);
  }
}
