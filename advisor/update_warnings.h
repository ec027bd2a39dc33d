// What a reader should know of how much an update takes: of a language model that is trained, where
// nobody said it, and of any, where GPUs come near it alone.
#pragma once

#include "advisor/recommendation.h"

namespace rightsize {

// Tokens of an update of such a size that the largest trainings had fewer, and machines that were
// compared at updates of very different sizes. Expects a chosen option.
void warn_of_update(Recommendation& answer);

// An update that is said, where the machines chosen come near it alone. Likewise.
void warn_of_nearest_update(Recommendation& answer);

}  // namespace rightsize
