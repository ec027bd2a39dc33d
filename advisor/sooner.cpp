#include "advisor/sooner.h"

namespace rightsize {

double typical_cost(const Option& option) {
  return option.score > 0 ? option.score : option.cost.value;
}

SoonerOptions sooner_options(const Recommendation& answer) {
  if (!answer.chosen || answer.query.serves() || answer.query.objective.time > 0) {
    return {};
  }
  const auto& chosen = *answer.chosen;
  SoonerOptions sooner;
  for (const auto& option : answer.options) {
    if (!option.satisfies || option.hours.value > chosen.hours.value / 2) {
      continue;
    }
    if (sooner.cheapest == nullptr || typical_cost(option) < typical_cost(*sooner.cheapest)) {
      sooner.cheapest = &option;
    }
    if (typical_cost(option) <= 2 * typical_cost(chosen) &&
        (sooner.fastest == nullptr || option.hours.value < sooner.fastest->hours.value)) {
      sooner.fastest = &option;
    }
  }
  if (sooner.fastest != nullptr &&
      sooner.fastest->hours.value > sooner.cheapest->hours.value / 2) {
    sooner.fastest = nullptr;
  }
  return sooner;
}

}  // namespace rightsize
