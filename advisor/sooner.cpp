#include "advisor/sooner.h"

namespace rightsize {

double typical_cost(const Option& option) {
  return option.score > 0 ? option.score : option.cost.value;
}

const Option* sooner_option(const Recommendation& answer) {
  if (!answer.chosen || answer.query.serves() || answer.query.objective.time > 0) {
    return nullptr;
  }
  const Option* sooner = nullptr;
  for (const auto& option : answer.options) {
    if (option.satisfies && option.hours.value <= answer.chosen->hours.value / 2 &&
        (sooner == nullptr || typical_cost(option) < typical_cost(*sooner))) {
      sooner = &option;
    }
  }
  return sooner;
}

}  // namespace rightsize
