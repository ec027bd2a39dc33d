// The shape of the sources: no line wider than clang-format would leave it (it breaks no comment
// and no literal), no file or function so long that it must hold two ideas, one constant for one
// unit.
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

// Functions as clang-format leaves them: the last line is a brace at the margin of the first, which
// is the last line before it at that margin. What classes and tables end with has a semicolon, what
// namespaces do a comment.
class Functions {
 public:
  struct Long {
    std::size_t line = 0;   // of its beginning
    std::size_t lines = 0;  // but the labels of cases, of which a list of kinds has many
    bool operator==(const Long&) const = default;
  };

  explicit Functions(const std::vector<std::string>& lines) : lines_(lines) {
    RawStrings raw;
    for (const auto& line : lines_) {
      literal_.push_back(raw.touches(line));
    }
  }

  // Those over so many lines; members are two columns in.
  [[nodiscard]] std::vector<Long> over(std::size_t most) const {
    std::vector<Long> found;
    bool in_class = false;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (literal_[i]) {
        continue;
      }
      in_class = lines_[i] == "};" ? false : in_class || opens_class(i);
      const std::size_t margin = in_class ? 2 : 0;
      if (lines_[i] != std::string(margin, ' ') + "}") {
        continue;
      }
      const auto begin = begin_of(i, margin);
      if (const auto length = length_of(begin, i); length > most) {
        found.push_back({begin + 1, length});
      }
    }
    return found;
  }

 private:
  [[nodiscard]] bool opens_class(std::size_t i) const {
    static const std::regex opening(R"(^(struct|class|union) [^;()]*\{$)");
    return std::regex_search(lines_[i], opening);
  }

  [[nodiscard]] bool is_at(std::size_t i, std::size_t margin) const {
    const auto& line = lines_[i];
    return !literal_[i] && line.find_first_not_of(' ') == margin && line[margin] != '#' &&
           line[margin] != '}' && line.compare(margin, 2, "//") != 0;
  }

  [[nodiscard]] std::size_t begin_of(std::size_t end, std::size_t margin) const {
    std::size_t i = end;
    while (i > 0 && !is_at(i, margin)) {
      --i;
    }
    return i;
  }

  [[nodiscard]] std::size_t length_of(std::size_t begin, std::size_t end) const {
    static const std::regex label(R"(^ *(case .*|default):$)");
    std::size_t length = 0;
    for (std::size_t i = begin; i <= end; ++i) {
      length += std::regex_match(lines_[i], label) ? 0 : 1;
    }
    return length;
  }

  const std::vector<std::string>& lines_;
  std::vector<bool> literal_;
};

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

TEST_CASE("house: no function of the rooms is over 60 lines") {
  for (const auto& room : rooms) {
    for (const auto& file : sources_of(room)) {
      const auto lines = lines_of(file);
      for (const auto& found : Functions(lines).over(60)) {
        FAIL_CHECK(fs::relative(file, root).string()
                   << ":" << found.line << " has " << found.lines);
      }
    }
  }
}

TEST_CASE("house: the length of a function is from its name to its brace, labels aside") {
  using Long = Functions::Long;
  const auto over = [](const std::vector<std::string>& lines, std::size_t most) {
    return Functions(lines).over(most);
  };
  const std::vector<std::string> free = {
      "namespace a {", "int f(int x,", "      int y) {", "  if (x) {", "  }", "  return y;", "}"};
  CHECK(over(free, 5) == std::vector<Long>{{2, 6}});
  CHECK(over(free, 6).empty());
  CHECK(
      over({"void f() {", "  switch (a) {", "    case b:", "    case c:", "      g();", "  }", "}"},
           1) == std::vector<Long>{{1, 5}});
  CHECK(over({"struct A {", "  int f() {", "    return 1;", "  }", "  int x = 0;", "};"}, 2) ==
        std::vector<Long>{{2, 3}});
  CHECK(over({"constexpr int table[] = {", "    1,", "};", "}  // namespace"}, 1).empty());
  CHECK(over({"void f() {", "  g(R\"(", "}", ")\");", "}"}, 3) == std::vector<Long>{{1, 5}});
}

TEST_CASE("house: bytes are turned into GiB and MiB by the constants of one file") {
  const std::regex by_hand(R"(0x1p[23]0|1024(\.0)? \* 1024)");
  for (const auto& room : rooms) {
    for (const auto& file : sources_of(room)) {
      const auto name = fs::relative(file, root).string();
      const auto lines = lines_of(file);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        if (name != "kernels/gibibyte.h" && std::regex_search(lines[i], by_hand)) {
          FAIL_CHECK(name << ":" << i + 1 << ": kernels/gibibyte.h has them");
        }
      }
    }
  }
}

TEST_CASE("house: tests tell near numbers by support/approx.h") {
  const std::string loose =
      "doctest::"
      "Approx";
  for (const auto& file : sources_of("tests")) {
    const auto lines = lines_of(file);
    for (std::size_t i = 0; file.filename() != "approx.h" && i < lines.size(); ++i) {
      if (lines[i].find(loose) != std::string::npos) {
        FAIL_CHECK(file << ":" << i + 1 << ": it allows epsilon x 1 of the smallest number, too");
      }
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
