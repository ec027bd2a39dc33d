// What money would buy of time: who asks for the cheapest job still wants to know that a few
// dollars more save days.
#pragma once

#include <string>

#include "advisor/recommendation.h"

namespace rightsize::report {

// "Sooner: n3-RTX-A4000x8 (8x RTX-A4000, hyperstack/NORWAY-1) takes ~7.66 h for ~$4.53 more, 4.3
// times as fast.": the cheapest option that takes half the time at most. Empty where none does, of
// services, and where time has a weight already.
[[nodiscard]] std::string sooner_line(const Recommendation& answer);

}  // namespace rightsize::report
