#include "advisor/report/sooner_text.h"

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
  const double more = sooner->cost.value - chosen.cost.value;
  return fmt::format("Sooner: {} ({}) takes ~{} h for {}, {} times as fast.",
                     instance_label(*sooner),
                     gpu_and_place(*sooner),
                     digits(sooner->hours.value),
                     more > 0 ? "~" + money(more, chosen.cost.unit) + " more" : "as much",
                     digits(chosen.hours.value / sooner->hours.value));
}

}  // namespace rightsize::report
