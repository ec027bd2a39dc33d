// What whoever follows an answer should know before they do.
#pragma once

#include "advisor/recommendation.h"
#include "advisor/search.h"

namespace rightsize {

// Adds to `answer.warnings`: of the chosen option, which is `chosen`, or, where that is null, what
// to ask instead. Expects the answer's date.
void add_warnings(const Evidence& evidence, const Offer* chosen, Recommendation& answer);

}  // namespace rightsize
