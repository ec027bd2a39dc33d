// What an inference engine would do for a load that GPUs answer too late kernel by kernel.
#pragma once

#include <string>

#include "advisor/recommendation.h"
#include "advisor/search.h"

namespace rightsize {

// The engine that is tried where nobody says whose software runs.
inline constexpr const char* tried_engine = "TensorRT";

// Where machines without GPUs were chosen for a service that others were too slow for, and an
// engine costs half or less: which fleet, and for how much. Empty otherwise. Costs a search.
[[nodiscard]] std::string engine_instead(const Evidence& evidence, const Recommendation& answer);

}  // namespace rightsize
