// A series as a row of bars: its shape in the space of a word. Edward Tufte, "Beautiful Evidence"
// (2006), for the idea.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace rightsize::report {

// At most `width` bars, each the mean of its share of the values, from 0 to the highest of them.
// Empty for no values; all of the lowest bar when none is above 0.
[[nodiscard]] std::string sparkline(std::span<const double> values, std::size_t width = 48);

}  // namespace rightsize::report
