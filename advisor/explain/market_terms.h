// What the terms of a market do to a bill, as branches of explain's tree: discounts of what is
// rented for long, and what is reserved and idle.
#pragma once

#include "advisor/explain/cause.h"
#include "advisor/query/query.h"
#include "advisor/recommendation.h"

namespace rightsize {

// Of all machines together, one part and a piece of the formula for each line of the bill.
void add_market_terms(Cause& cost, const Query& query, const Option& option);

}  // namespace rightsize
