// What a page says of its answer in a row of large figures.
#pragma once

#include <string>

#include "advisor/recommendation.h"

namespace rightsize::report {

// Empty where nothing was chosen.
[[nodiscard]] std::string tiles(const Recommendation& answer);

}  // namespace rightsize::report
