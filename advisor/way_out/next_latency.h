// How soon the machines that were judged could answer, where none of them does in time: the limits
// that would be within reach.
#pragma once

#include <string>
#include <vector>

#include "advisor/query/query.h"
#include "advisor/search.h"

namespace rightsize {

// Of a query that serves, about these machines. Adds nothing where something else than the latency
// is in the way.
void add_latency_steps(const Evidence& evidence,
                       const Query& query,
                       const std::vector<const Offer*>& machines,
                       std::vector<std::string>& steps);

}  // namespace rightsize
