// Where the better of two instances changes for a language model that writes tokens: by the load,
// by each limit and by each one's price.
#pragma once

#include "advisor/explain/comparison.h"

namespace rightsize {

// Fills in the crossings and price flips of a comparison whose query has tokens and whose sides are
// there.
void find_token_flips(const Evidence& evidence, Comparison& comparison);

}  // namespace rightsize
