// What to know of the order of the options: which cannot be told apart, and where the first is not
// the likeliest or the cheapest for the expected time.
#pragma once

#include "advisor/recommendation.h"

namespace rightsize {

// Adds to the warnings of an answer that chose.
void warn_of_order(Recommendation& answer);

}  // namespace rightsize
