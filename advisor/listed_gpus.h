// Which GPUs the price tables have of a provider: what it rents besides is not among the options,
// and an answer of one cloud set beside another's should say so.
#pragma once

#include "advisor/recommendation.h"
#include "pricing/catalog.h"

namespace rightsize {

// Adds to the assumptions of an answer that was asked of places; nothing where work leaves GPUs
// idle, or of a provider with more kinds of them than a sentence holds.
void note_listed_gpus(const Catalog& catalog, Recommendation& answer);

}  // namespace rightsize
