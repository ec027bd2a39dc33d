#include "advisor/report/sooner_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/report/option_text.h"
#include "advisor/report/units.h"
#include "advisor/sooner.h"

namespace rightsize::report {

namespace {

std::string more_or_less(double difference, const std::string& currency) {
  return difference == 0 ? "as much"
                         : fmt::format("~{} {}",
                                       money(std::abs(difference), currency),
                                       difference > 0 ? "more" : "less");
}

// By the bills that the table shows; what a job typically costs may lie apart by more or less, as
// where time is billed in steps.
std::string difference_in_cost(const Option& sooner, const Option& chosen) {
  constexpr double telling = 0.05;
  const double shown = sooner.cost.value - chosen.cost.value;
  const double typical = typical_cost(sooner) - typical_cost(chosen);
  const auto text = more_or_less(shown, chosen.cost.unit);
  return std::abs(typical - shown) <= telling * std::max(std::abs(shown), std::abs(typical))
             ? text
             : fmt::format("{} (typically {}, over the times that it may take)",
                           text,
                           more_or_less(typical, chosen.cost.unit));
}

std::string takes(const Option& sooner, const Option& chosen) {
  return fmt::format("{} ({}) takes ~{} h for {}, {} times as fast",
                     instance_label(sooner),
                     gpu_and_place(sooner),
                     digits(sooner.hours.value),
                     difference_in_cost(sooner, chosen),
                     digits(chosen.hours.value / sooner.hours.value));
}

}  // namespace

std::string sooner_line(const Recommendation& answer) {
  const auto sooner = sooner_options(answer);
  if (sooner.cheapest == nullptr) {
    return "";
  }
  const auto& chosen = *answer.chosen;
  return fmt::format("Sooner: {}{}.",
                     takes(*sooner.cheapest, chosen),
                     sooner.fastest == nullptr ? "" : "; " + takes(*sooner.fastest, chosen));
}

}  // namespace rightsize::report
