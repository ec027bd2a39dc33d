// What to know of a service of sequences that are said to be all as long.
#pragma once

#include "advisor/recommendation.h"

namespace rightsize {

// How many of the machine it takes where lengths spread as callers' do, if that is another number.
// Expects a chosen option.
void warn_of_equal_lengths(Recommendation& answer);

}  // namespace rightsize
