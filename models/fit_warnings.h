// What a fit cannot tell, said beside it: too few runs, parameters that they leave to their priors,
// programs of the user's that nobody saw on more vCPUs.
#pragma once

#include <cstddef>
#include <span>

#include "models/fit.h"
#include "models/observation.h"

namespace rightsize {

inline constexpr std::size_t worth_something = 8;  // runs

// Whether the runs left the parameter where its prior had it.
[[nodiscard]] bool is_undetermined(const Parameter& parameter);

void add_fit_warnings(std::span<const Observation> observations, FitSummary& summary);

}  // namespace rightsize
