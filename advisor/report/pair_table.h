// Two options side by side, for compare and what-if.
#pragma once

#include <array>
#include <string>

#include "advisor/explain/comparison.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// Any two options for the work of `query` a row per fact, and second / first where a ratio
// means something; `titles` name the columns.
[[nodiscard]] Table pair_table(const Query& query,
                               const Option& first,
                               const Option& second,
                               const Ratios& ratios,
                               const std::array<std::string, 3>& titles);
// "$21.96/h", "462 EUR/month": at so much an hour, as `option` is rented.
[[nodiscard]] std::string rent(const Option& option, double per_hour);

}  // namespace rightsize::report
