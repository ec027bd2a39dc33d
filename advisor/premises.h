// What an answer rests on, said next to it: evidence, assumptions, warnings.
#pragma once

#include "advisor/recommendation.h"
#include "advisor/search.h"

namespace rightsize {

// Fills in everything of `answer` that does not depend on the ranking but explains it.
void add_premises(const Evidence& evidence, Recommendation& answer);

}  // namespace rightsize
