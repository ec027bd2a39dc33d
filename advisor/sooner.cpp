#include "advisor/sooner.h"

namespace rightsize {

const Option* sooner_option(const Recommendation& answer) {
  if (!answer.chosen || answer.query.serves() || answer.query.objective.time > 0) {
    return nullptr;
  }
  const Option* sooner = nullptr;
  for (const auto& option : answer.options) {
    if (option.satisfies && option.hours.value <= answer.chosen->hours.value / 2 &&
        (sooner == nullptr || option.score < sooner->score)) {
      sooner = &option;
    }
  }
  return sooner;
}

}  // namespace rightsize
