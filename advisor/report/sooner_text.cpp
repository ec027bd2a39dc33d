#include "advisor/report/sooner_text.h"

#include <cmath>

#include <fmt/format.h>

#include "advisor/report/option_text.h"
#include "advisor/report/units.h"
#include "advisor/sooner.h"

namespace rightsize::report {

std::string sooner_line(const Recommendation& answer) {
  const Option* sooner = sooner_option(answer);
  if (sooner == nullptr) {
    return "";
  }
  const auto& chosen = *answer.chosen;
  const double more = typical_cost(*sooner) - typical_cost(chosen);
  const bool in_steps =
      typical_cost(*sooner) != sooner->cost.value || typical_cost(chosen) != chosen.cost.value;
  const auto difference =
      (in_steps ? "typically ~" : "~") + money(std::abs(more), chosen.cost.unit);
  return fmt::format("Sooner: {} ({}) takes ~{} h for {}, {} times as fast.",
                     instance_label(*sooner),
                     gpu_and_place(*sooner),
                     digits(sooner->hours.value),
                     more == 0 ? "as much" : difference + (more > 0 ? " more" : " less"),
                     digits(chosen.hours.value / sooner->hours.value));
}

}  // namespace rightsize::report
