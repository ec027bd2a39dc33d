// The shape of the sources: no line wider than clang-format would leave it (it breaks no comment
// and no literal), no file so long that it must hold two ideas.
#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

namespace {

namespace fs = std::filesystem;

const fs::path root = RIGHTSIZE_SOURCE_DIR;
const std::vector<std::string> rooms = {"advisor", "profiler", "kernels", "models", "pricing"};

std::vector<fs::path> sources_of(const std::string& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    const auto extension = entry.path().extension();
    if (extension == ".h" || extension == ".cpp" || extension == ".cu" || extension == ".cuh") {
      found.push_back(entry.path());
    }
  }
  return found;
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

std::size_t column_limit() {
  static const std::regex pattern(R"(^ColumnLimit: (\d+)$)");
  for (const auto& line : lines_of(root / ".clang-format")) {
    std::smatch match;
    if (std::regex_match(line, match, pattern)) {
      return std::stoul(match[1]);
    }
  }
  throw std::runtime_error(".clang-format has no ColumnLimit");
}

// How many columns a character takes: marks that combine none, those of East Asia and pictures two
// (Unicode Standard Annex 11, its wide blocks).
std::size_t columns_of(char32_t c) {
  struct Block {
    char32_t first, last;
  };
  constexpr std::array wide = {Block{0x1100, 0x115f},
                               Block{0x2e80, 0xa4cf},
                               Block{0xac00, 0xd7a3},
                               Block{0xf900, 0xfaff},
                               Block{0xfe30, 0xfe6f},
                               Block{0xff00, 0xff60},
                               Block{0x1f300, 0x1faff},
                               Block{0x20000, 0x3fffd}};
  if (c >= 0x300 && c <= 0x36f) {
    return 0;
  }
  for (const auto& block : wide) {
    if (c >= block.first && c <= block.last) {
      return 2;
    }
  }
  return 1;
}

// Of a line of UTF-8.
std::size_t display_columns(std::string_view line) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < line.size();) {
    const auto lead = static_cast<unsigned char>(line[i]);
    const std::size_t bytes = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    char32_t c = bytes == 1 ? lead : lead & (0xffU >> (bytes + 1));
    for (std::size_t j = 1; j < bytes && i + j < line.size(); ++j) {
      c = (c << 6) | (static_cast<unsigned char>(line[i + j]) & 0x3fU);
    }
    columns += columns_of(c);
    i += bytes;
  }
  return columns;
}

// Tells which lines hold part of a raw string literal, which nothing may break.
class RawStrings {
 public:
  bool touches(const std::string& line) {
    bool touched = !ending_.empty();
    for (std::size_t at = 0;;) {
      if (!ending_.empty()) {
        const auto end = line.find(ending_, at);
        if (end == std::string::npos) {
          return touched;
        }
        at = end + ending_.size();
        ending_.clear();
      }
      static const std::regex opening("R\"([^()\\\\ ]{0,16})\\(");
      std::smatch match;
      if (!std::regex_search(
              line.begin() + static_cast<std::ptrdiff_t>(at), line.end(), match, opening)) {
        return touched;
      }
      touched = true;
      at += static_cast<std::size_t>(match.position() + match.length());
      ending_ = ")" + match[1].str() + "\"";
    }
  }

 private:
  std::string ending_;  // of the literal that is open; empty: none is
};

std::vector<std::size_t> too_wide(const std::vector<std::string>& lines, std::size_t limit) {
  std::vector<std::size_t> found;
  RawStrings raw;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool literal = raw.touches(lines[i]);
    if (!literal && !lines[i].starts_with("#include") && display_columns(lines[i]) > limit) {
      found.push_back(i + 1);
    }
  }
  return found;
}

}  // namespace

TEST_CASE("house: no line is wider than clang-format's limit") {
  const auto limit = column_limit();
  for (const auto* folder : {"advisor", "profiler", "kernels", "models", "pricing", "tests"}) {
    for (const auto& file : sources_of(folder)) {
      for (const auto line : too_wide(lines_of(file), limit)) {
        FAIL_CHECK(fs::relative(file, root).string() << ":" << line);
      }
    }
  }
}

TEST_CASE("house: no source file of the rooms is over 320 lines") {
  constexpr std::size_t most = 320;
  for (const auto& room : rooms) {
    for (const auto& file : sources_of(room)) {
      const auto lines = lines_of(file).size();
      CHECK_MESSAGE(lines <= most, fs::relative(file, root).string() << " has " << lines);
    }
  }
}

TEST_CASE("house: the width of a line is that of its characters, raw literals aside") {
  CHECK(display_columns("~1 … 2 — é") == 10);
  CHECK(display_columns("e\u0301") == 1);
  CHECK(display_columns("速い") == 4);
  const std::string wide(20, 'x');
  CHECK(too_wide({wide}, 10) == std::vector<std::size_t>{1});
  CHECK(too_wide({"#include \"" + wide + "\""}, 10).empty());
  CHECK(too_wide({"f(R\"a(", wide, ")\" " + wide, ")a\", R\"(", wide, ")\"); " + wide, wide}, 10) ==
        std::vector<std::size_t>{7});
}
