// What to ask instead where nothing is an option: only what the same laws and tables say would do.
#pragma once

#include <string>
#include <vector>

#include "advisor/recommendation.h"
#include "advisor/search.h"

namespace rightsize {

// A sentence each, with the flags; empty where something is an option or nothing helps.
[[nodiscard]] std::vector<std::string> next_steps(const Evidence& evidence,
                                                  const Recommendation& answer);

}  // namespace rightsize
