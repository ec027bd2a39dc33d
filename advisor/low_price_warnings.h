// A chosen price far below what the like costs elsewhere, on which an answer should not rest alone.
#pragma once

#include "advisor/recommendation.h"
#include "pricing/catalog.h"

namespace rightsize {

// Of the chosen offer, of spot and on-demand markets: with what the answer is without such prices.
void warn_of_low_price(const Catalog& catalog, const Offer& chosen, Recommendation& answer);

}  // namespace rightsize
