#include "kernels/data/vocabulary.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace rightsize {
namespace {

constexpr std::int64_t byte_values = 256;

}  // namespace

Vocabulary::Vocabulary(std::string_view text, std::int64_t limit)
    : reads_bytes_(limit <= byte_values) {
  if (reads_bytes_) {
    std::uint8_t largest = 0;
    for (const char c : text) {
      largest = std::max(largest, static_cast<std::uint8_t>(c));
    }
    size_ = std::min<std::int64_t>(limit, std::int64_t{largest} + 1);
    return;
  }
  std::unordered_map<std::string_view, std::int64_t> counts;
  for_each_word(text, [&](std::string_view word) { ++counts[word]; });
  std::vector<std::pair<std::int64_t, std::string_view>> ranked;
  ranked.reserve(counts.size());
  for (const auto& [word, count] : counts) {
    ranked.emplace_back(-count, word);
  }
  std::sort(ranked.begin(), ranked.end());
  const auto named = std::min(ranked.size(), static_cast<std::size_t>(limit - 1));
  for (std::size_t i = 0; i < named; ++i) {
    ids_.emplace(ranked[i].second, static_cast<std::int32_t>(i));
  }
  size_ = static_cast<std::int64_t>(named) + 1;
}

std::int32_t Vocabulary::id_of(std::string_view word) const {
  const auto last = static_cast<std::int32_t>(size_ - 1);
  if (reads_bytes_) {
    return std::min<std::int32_t>(static_cast<std::uint8_t>(word.front()), last);
  }
  const auto found = ids_.find(word);
  return found == ids_.end() ? last : found->second;
}

}  // namespace rightsize
