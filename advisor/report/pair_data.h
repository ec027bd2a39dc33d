// Two options as plain numbers, a fact a row: what programs read of compare and what-if.
#pragma once

#include <array>
#include <string>

#include "advisor/explain/comparison.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// fact, unit, the two with their ends, second over first where that says something, source. `names`
// title the two. Ends are empty for what is exact, a ratio where both are the same for sure, any
// cell for what never ends.
[[nodiscard]] Table pair_data(const Option& first,
                              const Option& second,
                              const Ratios& ratios,
                              const std::array<std::string, 2>& names);

}  // namespace rightsize::report
