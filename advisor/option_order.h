// The order in which options are shown; which one is chosen is another matter.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "advisor/recommendation.h"

namespace rightsize {

// "cost", "time", "throughput", "price", "vcpus", "memory" or "chance", with ":asc" or ":desc"
// behind it; each has its better end first otherwise. "" is the rank. Ties move with their options;
// the chosen one stays chosen. Throws UsageError.
void sort_options(Recommendation& answer, const std::string& order);

// Takes away the options that are not kept; ties move with theirs. `kept` has one for each.
void keep_options(Recommendation& answer, const std::vector<bool>& kept);

// The first `most`, and what is the user's own wherever it ranks: as keep_options() takes it.
[[nodiscard]] std::vector<bool> first_and_own(const std::vector<Option>& options, std::size_t most);

}  // namespace rightsize
