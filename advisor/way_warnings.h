// What the training program has to do for the chosen way to be what was predicted: share its state,
// run blocks again, preprocess on the GPU, exchange over a network; and what a part of a GPU is
// counted by.
#pragma once

#include "advisor/recommendation.h"
#include "advisor/search.h"

namespace rightsize {

// Adds to the warnings of an answer that chose `offer`.
void warn_of_way(const Evidence& evidence, const Offer& offer, Recommendation& answer);

}  // namespace rightsize
