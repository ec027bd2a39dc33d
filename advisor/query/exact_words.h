// Phrases of people read word by word: each word has to be one that is known, so that "restrained"
// is no training. What a phrase means is what its most telling words agree on.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rightsize {

// Of "ImageNet (TFRecord)" the format tells more than the data set, which tells more than nothing.
// beside: a word that may stand beside others and means nothing by itself.
enum class Telling { beside, little, more, most };

template <typename Value>
struct Spelling {
  std::string_view word;  // in lower case without blanks and signs; a plural's "s" is understood
  Telling telling = Telling::beside;
  Value value{};
};

// Runs of letters and digits, in lower case: "fine-tuning (8x)" has "fine", "tuning" and "8x".
[[nodiscard]] std::vector<std::string> words_in(std::string_view text);

// How many words from the `first` on spell `spelling` when written together; 0: they do not.
[[nodiscard]] std::size_t spelled_by(std::span<const std::string> words,
                                     std::size_t first,
                                     std::string_view spelling);

// The longest spelling that begins at the word `first`, with how many words it takes; nullptr and 0
// where none does.
template <typename Value, std::size_t Size>
[[nodiscard]] std::pair<const Spelling<Value>*, std::size_t> longest_spelling(
    std::span<const std::string> words,
    std::size_t first,
    const std::array<Spelling<Value>, Size>& spellings) {
  std::pair<const Spelling<Value>*, std::size_t> best{nullptr, 0};
  for (const auto& spelling : spellings) {
    const auto count = spelled_by(words, first, spelling.word);
    if (count > best.second) {
      best = {&spelling, count};
    }
  }
  return best;
}

// nullopt where a word is not known, where those that tell most disagree, and where none tells.
template <typename Value, std::size_t Size>
[[nodiscard]] std::optional<Value> exactly_meant(
    std::string_view text, const std::array<Spelling<Value>, Size>& spellings) {
  const auto words = words_in(text);
  auto telling = Telling::beside;
  std::optional<Value> meant;
  bool agreed = true;
  for (std::size_t first = 0; first < words.size();) {
    const auto [found, count] = longest_spelling<Value, Size>(words, first, spellings);
    if (found == nullptr) {
      return std::nullopt;
    }
    first += count;
    if (found->telling == Telling::beside || found->telling < telling) {
      continue;
    }
    agreed = found->telling > telling || (agreed && meant == found->value);
    telling = found->telling;
    meant = found->value;
  }
  return agreed ? meant : std::nullopt;
}

// "train, training, trained, ...": those that mean something, for errors.
template <typename Value, std::size_t Size>
[[nodiscard]] std::vector<std::string> telling_words(
    const std::array<Spelling<Value>, Size>& spellings) {
  std::vector<std::string> words;
  for (const auto& spelling : spellings) {
    if (spelling.telling != Telling::beside) {
      words.emplace_back(spelling.word);
    }
  }
  return words;
}

}  // namespace rightsize
