#include "advisor/shell/words.h"

#include "advisor/query/usage_error.h"

namespace rightsize::shell {

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;  // of a word, which may be empty: ''
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool escaped = c == '\\' && quote != '\'' && i + 1 < line.size();
    if (escaped) {
      word += line[++i];
      inside = true;
    } else if (quote != 0 ? c == quote : c == '\'' || c == '"') {
      quote = quote != 0 ? 0 : c;
      inside = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\r')) {
      if (inside) {
        words.push_back(std::move(word));
      }
      word.clear();
      inside = false;
    } else if (quote == 0 && c == '#' && !inside) {
      break;
    } else {
      word += c;
      inside = true;
    }
  }
  if (quote != 0) {
    throw UsageError(std::string("a quote ") + quote + " is not closed");
  }
  if (inside) {
    words.push_back(std::move(word));
  }
  return words;
}

bool is_whole_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace rightsize::shell
