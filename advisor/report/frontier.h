// The options that no other beats both in cost and in time.
#pragma once

#include <cstddef>
#include <vector>

#include "advisor/recommendation.h"

namespace rightsize::report {

// Their places in the answer, the soonest first, each cheaper than the one before; of a service by
// how long its callers wait, without fleets whose queue grows without end.
[[nodiscard]] std::vector<std::size_t> frontier_of(const Recommendation& answer);

}  // namespace rightsize::report
