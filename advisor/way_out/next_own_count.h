// How many of a machine of one's own would do, where there are too few of it.
#pragma once

#include <string>
#include <vector>

#include "advisor/recommendation.h"
#include "advisor/search.h"

namespace rightsize {

// Of an answer without options: the number of each of one's own machines among `machines` that
// makes it one, as --on-prem says it. Costs a search for each that is counted, where too few of
// them may be why.
void add_own_count_steps(const Evidence& evidence,
                         const Recommendation& answer,
                         const std::vector<const Offer*>& machines,
                         std::vector<std::string>& steps);

}  // namespace rightsize
