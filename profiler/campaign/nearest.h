// What a mistyped word may have been meant to be.
#pragma once

#include <span>
#include <string_view>

namespace rightsize {

// The known word nearest to `word`, or empty when none is near. Distance: Levenshtein (1966).
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> known);

}  // namespace rightsize
