// The frontier of cost and time in numbers: what the first chart of the page names, and where it
// has no room for a name, numbers.
#pragma once

#include "advisor/recommendation.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// From left to right in the chart; empty where there is no frontier of at least two.
[[nodiscard]] Table frontier_table(const Recommendation& answer);

}  // namespace rightsize::report
