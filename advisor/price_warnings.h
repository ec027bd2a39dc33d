// What to know of the chosen price before renting: its age and date, what of it is assumed, and
// what was doubted when its table was read.
#pragma once

#include "advisor/recommendation.h"
#include "pricing/catalog.h"

namespace rightsize {

// Adds to the warnings of an answer that chose `offer`.
void warn_of_price(const Catalog& catalog, const Offer& offer, Recommendation& answer);

}  // namespace rightsize
