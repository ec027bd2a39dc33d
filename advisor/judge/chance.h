// How likely each option is to be the cheapest, from joint draws of what is uncertain.
#pragma once

#include <cstdint>
#include <vector>

#include "advisor/judge/uncertain_cost.h"

namespace rightsize {

// Whole machines, where a cost moves by them.
struct StepCosts {
  StepCost exact;
  // No more than that, and known without working it out: asked first, where it is given.
  StepCost at_least;
};

// P(option i is the cheapest), deterministic for a seed. `options` is ranked, the first being the
// one recommended. Without `steps` a cost moves as its bill does. Equal costs share a win.
[[nodiscard]] std::vector<double> draw_chances(const std::vector<UncertainCost>& options,
                                               int draws,
                                               std::uint64_t seed,
                                               const StepCosts& steps = {});

}  // namespace rightsize
