// What a job with large pictures would cost were they made smaller once, before it.
#pragma once

#include <string>

#include "advisor/search.h"

namespace rightsize {

// A sentence; "" where pictures are as small as those that decoding was measured with, where
// loading them does not limit the chosen machine, or where little would be saved.
[[nodiscard]] std::string smaller_pictures(const Evidence& evidence, const Recommendation& answer);

}  // namespace rightsize
