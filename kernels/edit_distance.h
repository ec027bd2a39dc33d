// How many slips of the hand lie between two words: optimal string alignment (Damerau 1964,
// Levenshtein 1966). A letter left out, put in or changed is one, and so are two that changed
// places.
#pragma once

#include <cstddef>
#include <string_view>

namespace rightsize {

[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace rightsize
