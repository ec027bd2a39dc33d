// Words to ids, most frequent first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace rightsize {

class Vocabulary {
 public:
  // Bytes stand for themselves where `limit` is at most 256; else the `limit` - 1 most frequent
  // words of `text` get an id (ties in alphabetical order) and the last one stands for the others.
  Vocabulary(std::string_view text, std::int64_t limit);

  [[nodiscard]] bool reads_bytes() const { return reads_bytes_; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::int32_t id_of(std::string_view word) const;

 private:
  bool reads_bytes_ = false;
  std::int64_t size_ = 0;
  std::unordered_map<std::string_view, std::int32_t> ids_;  // views of the text
};

// Calls visit(word) for the words between white space, and visit("<eos>") at each line's end.
template <typename Visit>
void for_each_word(std::string_view text, Visit visit) {
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '\n') {
      visit(std::string_view("<eos>"));
      ++at;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at;
    } else {
      const auto end = std::min(text.find_first_of(" \t\r\n", at), text.size());
      visit(text.substr(at, end - at));
      at = end;
    }
  }
}

}  // namespace rightsize
