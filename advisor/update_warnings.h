// What a reader should know of how much an update of a language model that is trained takes, where
// he did not say it.
#pragma once

#include "advisor/recommendation.h"

namespace rightsize {

// Tokens of an update of such a size that the largest trainings had fewer, and machines that were
// compared at updates of very different sizes. Expects a chosen option.
void warn_of_update(Recommendation& answer);

}  // namespace rightsize
