// The disk that a network's weights are fetched to where nothing is read that a disk is billed for.
#pragma once

#include <cstdint>

#include "advisor/recommendation.h"

namespace rightsize {

// GiB for the weights as they are fetched, and 20 more; no bill counts it. Of a language model that
// serves, and of a transformer that does not learn and has no disk; 0 for other work.
[[nodiscard]] std::int64_t weights_disk_gib(const Recommendation& answer, const Option& option);

}  // namespace rightsize
