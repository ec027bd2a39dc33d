// What a mistyped word may have been meant to be.
#pragma once

#include <span>
#include <string_view>

namespace rightsize {

// The known word nearest to `word`, or empty when none is near. Distance: optimal string
// alignment (Damerau 1964, Levenshtein 1966), relative to the length of the word.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> known);

}  // namespace rightsize
