// What money would buy of time: who asks for the cheapest job still wants to know that a few
// dollars more save days.
#pragma once

#include "advisor/recommendation.h"

namespace rightsize {

// What options of a job rank by where only money counts: what the bill typically comes to, which
// may stand just below a step; the cost of what nobody ranked.
[[nodiscard]] double typical_cost(const Option& option);

// Of the answer's options the cheapest that takes half of the chosen one's time at most. nullptr
// where none does, of services, and where time has a weight already.
[[nodiscard]] const Option* sooner_option(const Recommendation& answer);

}  // namespace rightsize
