#include "advisor/report/sooner.h"

#include <fmt/format.h>

#include "advisor/report/option_text.h"
#include "advisor/report/units.h"

namespace rightsize::report {

std::string sooner_line(const Recommendation& answer) {
  if (!answer.chosen || answer.query.serves() || answer.query.objective.time > 0) {
    return "";
  }
  const auto& chosen = *answer.chosen;
  const Option* sooner = nullptr;
  for (const auto& option : answer.options) {
    if (option.satisfies && option.hours.value <= chosen.hours.value / 2 &&
        (sooner == nullptr || option.cost.value < sooner->cost.value)) {
      sooner = &option;
    }
  }
  if (sooner == nullptr) {
    return "";
  }
  const double more = sooner->cost.value - chosen.cost.value;
  return fmt::format("Sooner: {} ({}) takes ~{} h for {}, {} times as fast.",
                     instance_label(*sooner),
                     gpu_and_place(*sooner),
                     digits(sooner->hours.value),
                     more > 0 ? "~" + money(more, chosen.cost.unit) + " more" : "as much",
                     digits(chosen.hours.value / sooner->hours.value));
}

}  // namespace rightsize::report
