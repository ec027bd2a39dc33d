#include "advisor/query/exact_words.h"

#include <cctype>

namespace rightsize {

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    const bool part = std::isalnum(letter) != 0;
    if (part && !inside) {
      words.emplace_back();
    }
    if (part) {
      words.back() += static_cast<char>(std::tolower(letter));
    }
    inside = part;
  }
  return words;
}

std::size_t spelled_by(std::span<const std::string> words,
                       std::size_t first,
                       std::string_view spelling) {
  std::string together;
  for (std::size_t i = first; i < words.size() && together.size() < spelling.size(); ++i) {
    together += words[i];
    const bool plural = together.size() == spelling.size() + 1 && together.back() == 's';
    if (together == spelling || (plural && together.starts_with(spelling))) {
      return i + 1 - first;
    }
  }
  return 0;
}

}  // namespace rightsize
