// What money would buy of time: who asks for the cheapest job still wants to know that a few
// dollars more save days.
#pragma once

#include "advisor/recommendation.h"

namespace rightsize {

// What options of a job rank by where only money counts: what the bill typically comes to, which
// may stand just below a step; the cost of what nobody ranked.
[[nodiscard]] double typical_cost(const Option& option);

struct SoonerOptions {
  const Option* cheapest = nullptr;  // of those that take half of the chosen one's time at most
  // The fastest for twice the chosen one's cost at most; nullptr unless it takes half of the time
  // of `cheapest`.
  const Option* fastest = nullptr;
};

// Of the answer's options. Both nullptr where none takes half of the time, of services, and where
// time has a weight already.
[[nodiscard]] SoonerOptions sooner_options(const Recommendation& answer);

}  // namespace rightsize
