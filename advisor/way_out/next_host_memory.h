// How much host memory would do, where a limit on it leaves machines that have too little.
#pragma once

#include <string>
#include <vector>

#include "advisor/recommendation.h"
#include "advisor/search.h"

namespace rightsize {

// Of an answer without options: the least --memory-max that has one. Adds nothing where memory was
// enough, or is not what was limited. Costs a search.
void add_host_memory_step(const Evidence& evidence,
                          const Recommendation& answer,
                          std::vector<std::string>& steps);

}  // namespace rightsize
