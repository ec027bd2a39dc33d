// What to know of as many machines as answer a load in time: many that hardly work, and how much
// their number hangs on how fast one of them proves to be.
#pragma once

#include "advisor/recommendation.h"

namespace rightsize {

// Adds to the warnings of an answer that chose; nothing where it is no service.
void warn_of_fleet(Recommendation& answer);

}  // namespace rightsize
