#include "profiler/command/example_line.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <string_view>

namespace rightsize {
namespace {

// Thrown inside this file only: a construct that nobody writes to find a step.
struct NotFollowed {};

// Reads the pattern from left to right and keeps a text for each part.
class Reader {
 public:
  explicit Reader(std::string_view pattern) : rest_(pattern) {}

  // Up to the closing parenthesis or the end.
  std::string choice() {
    auto first = sequence();
    while (take('|')) {
      static_cast<void>(sequence());
    }
    return first;
  }

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  char next() {
    if (rest_.empty()) {
      throw NotFollowed{};
    }
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  std::string sequence() {
    std::string text;
    while (!rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
      const bool any = rest_.front() == '.';
      text += repeated(atom(), any);
    }
    return text;
  }

  // What may be missing is; ".*" says nothing and shows nothing.
  std::string repeated(const std::string& one, bool any) {
    std::size_t times = 1;
    if (take('*')) {
      times = any ? 0 : 1;
    } else if (take('?')) {
      times = 0;
    } else if (take('{')) {
      times = 0;
      while (!rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_.front())) != 0) {
        times = std::min<std::size_t>(10 * times + static_cast<std::size_t>(next() - '0'), 100);
      }
      while (next() != '}') {
      }
    } else {
      static_cast<void>(take('+'));
    }
    static_cast<void>(take('?'));  // as little as possible: the same here
    std::string text;
    for (std::size_t i = 0; i < times; ++i) {
      text += one;
    }
    return text;
  }

  std::string atom() {
    const char c = next();
    switch (c) {
      case '^':
      case '$':
        return "";
      case '.':
        return ".";
      case '(':
        return group();
      case '[':
        return one_of();
      case '\\':
        return escaped();
      default:
        return {c};
    }
  }

  std::string group() {
    if (take('?') && !take(':')) {
      throw NotFollowed{};
    }
    auto text = choice();
    if (!take(')')) {
      throw NotFollowed{};
    }
    return text;
  }

  // A character class as the library understands it: a digit, a letter or a mark that it holds.
  std::string one_of() {
    std::string text = "[";
    for (char c = next();; c = next()) {
      text += c;
      if (c == '\\') {
        text += next();
      } else if (c == '[') {  // [:digit:]
        while (c != ']') {
          text += c = next();
        }
      } else if (c == ']') {
        break;
      }
    }
    const std::regex held(text);
    constexpr std::string_view candidates = "1aA ._-=/:,#%|*+()[]{}<>\"'0bB";
    const auto* const found =
        std::find_if(candidates.begin(), candidates.end(), [&](char candidate) {
          return std::regex_match(std::string{candidate}, held);
        });
    if (found == candidates.end()) {
      throw NotFollowed{};
    }
    return {*found};
  }

  std::string escaped() {
    const char c = next();
    switch (c) {
      case 'd':
        return "1";
      case 'w':
      case 'D':
      case 'S':
        return "a";
      case 's':
      case 'W':
        return " ";
      case 't':
        return "\t";
      case 'b':
        return "";
      default:
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
          throw NotFollowed{};
        }
        return {c};
    }
  }

  std::string_view rest_;
};

}  // namespace

std::optional<std::string> example_line(const std::string& pattern) {
  try {
    Reader reader(pattern);
    const auto line = reader.choice();
    const bool fits =
        reader.at_end() && !line.empty() && std::regex_search(line, std::regex(pattern));
    return fits ? std::optional(line) : std::nullopt;
  } catch (const NotFollowed&) {
    return std::nullopt;
  } catch (const std::regex_error&) {
    return std::nullopt;
  }
}

}  // namespace rightsize
