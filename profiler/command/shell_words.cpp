#include "profiler/command/shell_words.h"

#include <algorithm>

namespace rightsize {
namespace {

constexpr std::string_view blanks = " \t\r\n";

// A word, quotes taken off, that begins at `at`; `at` is behind it then. nullopt: unfinished.
std::optional<std::string> word_at(std::string_view text, std::size_t& at) {
  std::string word;
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    const bool ends = quote == 0 && blanks.find(c) != std::string_view::npos;
    if (ends) {
      return word;
    }
    const auto next = text.substr(at + 1, 1);
    // Inside double quotes a backslash is one, but before what would have a meaning there.
    const bool escapes =
        c == '\\' &&
        (quote == 0 || (quote == '"' && !next.empty() &&
                        std::string_view("\"\\$`").find(next) != std::string_view::npos));
    if (escapes) {
      if (next.empty()) {
        return std::nullopt;
      }
      word += next;
      ++at;
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else {
      word += c;
    }
  }
  return quote == 0 ? std::optional(word) : std::nullopt;
}

}  // namespace

std::optional<std::vector<std::string>> shell_words(std::string_view text) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while ((at = std::min(text.find_first_not_of(blanks, at), text.size())) < text.size()) {
    auto word = word_at(text, at);
    if (!word) {
      return std::nullopt;
    }
    words.push_back(std::move(*word));
  }
  return words;
}

}  // namespace rightsize
