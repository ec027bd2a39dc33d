// What money would buy of time: who asks for the cheapest job still wants to know that a few
// dollars more save days.
#pragma once

#include "advisor/recommendation.h"

namespace rightsize {

// Of the answer's options the cheapest that takes half of the chosen one's time at most. nullptr
// where none does, of services, and where time has a weight already.
[[nodiscard]] const Option* sooner_option(const Recommendation& answer);

}  // namespace rightsize
