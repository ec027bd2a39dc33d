// What an answer takes for granted of training large networks: how memory is spared, how layers,
// sequences and experts are shared, what an update is. A sentence each.
#pragma once

#include "advisor/recommendation.h"

namespace rightsize {

// Adds to `answer.assumptions`, by what was asked and what the options turned out to be.
void add_training_assumptions(Recommendation& answer);

}  // namespace rightsize
