// What a mistyped word may have been meant to be.
#pragma once

#include <span>
#include <string_view>

namespace rightsize {

// The known word nearest to `word` (kernels/edit_distance.h), or empty when none is near for a word
// of that length.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> known);

}  // namespace rightsize
