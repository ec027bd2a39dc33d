// What to know of a service of sequences by what is said of their lengths.
#pragma once

#include "advisor/recommendation.h"

namespace rightsize {

// How many of the machine it takes where lengths spread as callers' do, if that is another number.
// Expects a chosen option, as the next.
void warn_of_equal_lengths(Recommendation& answer);

// Lengths that spread beyond what the network reads, or so that a few fill the memory.
void warn_of_long_sequences(Recommendation& answer);

}  // namespace rightsize
