#include "advisor/report/break_even_text.h"

#include <cmath>

#include <fmt/format.h>

#include "advisor/full_name.h"
#include "advisor/report/units.h"
#include "pricing/billing.h"

namespace rightsize::report {
namespace {

// "94 … 110", and where the slowest that is likely of it never pays "94 or more".
std::string range(const Estimate& value) {
  return std::isfinite(value.high) ? fmt::format("{} … {}", digits(value.low), digits(value.high))
                                   : digits(value.low) + " or more";
}

std::string where_it_pays(const BreakEven& even) {
  constexpr auto month = static_cast<double>(hours_per_month);
  const auto& hours = even.hours_per_month;
  if (even.rented_per_month && hours.value <= 0) {
    return "buying pays from the first hour of this work in a month";
  }
  if (!std::isfinite(hours.value)) {
    return "buying never pays: the power alone costs as much as renting does";
  }
  const auto from =
      fmt::format("~{} h of this work a month ({})", digits(hours.value), range(hours));
  return hours.value > month
             ? fmt::format("buying does not pay: it would from {}, and a month has {}", from, month)
             : fmt::format("buying pays from {}, {} of its hours: ~{} runs of this job ({})",
                           from,
                           percent(hours.value / month),
                           digits(even.runs_per_month.value),
                           range(even.runs_per_month));
}

}  // namespace

std::vector<std::string> break_even_sentences(const Explanation& explanation) {
  if (!explanation.break_even) {
    return {};
  }
  const auto& even = *explanation.break_even;
  const auto& option = explanation.option;
  const auto rented = even.rented_per_month
                          ? fmt::format("{} costs {} for each month that is begun, worked or not",
                                        even.rented,
                                        money(*even.rented_per_month, even.currency))
                          : fmt::format("{} does that hour's work for ~{}",
                                        even.rented,
                                        money(even.rented_per_hour, even.currency));
  return {
      fmt::format("{} {} a month, worked or not, and {} an hour of work for power; {}",
                  option.nodes > 1 ? fmt::format("{} x {} cost", option.nodes, full_name(option))
                                   : full_name(option) + " costs",
                  money(even.purchase_per_month, even.currency),
                  money(even.power_per_hour, even.currency),
                  rented),
      where_it_pays(even)};
}

}  // namespace rightsize::report
