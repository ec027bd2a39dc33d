// What a column that is not read was perhaps meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rightsize {

// Of the columns that are read the one that is nearest: a few letters off, another case or
// other marks between the words ("memory_gib", "SpotPrize"); "" where none is near.
[[nodiscard]] std::string near_column(std::string_view column,
                                      std::span<const std::string_view> known);

}  // namespace rightsize
