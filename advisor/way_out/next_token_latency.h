// The same as next_latency.h of a language model that writes tokens: limits on the first and on
// each, and the weights that fit where none does.
#pragma once

#include <string>
#include <vector>

#include "advisor/query/query.h"
#include "advisor/search.h"

namespace rightsize {

// Of a query with tokens.
void add_token_step(const Evidence& evidence,
                    const Query& query,
                    const std::vector<const Offer*>& machines,
                    std::vector<std::string>& steps);

}  // namespace rightsize
