#include "advisor/report/neighbour_text.h"

#include <cmath>

#include <fmt/format.h>

#include "advisor/full_name.h"
#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/token_explanation_text.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

const char* sign(double value) {
  return value < 0 ? "-" : "+";
}

// "2 of g4dn.2xlarge ..."; a month's cost, and the latency in the hours' place.
std::string neighbour_service(const Neighbour& row) {
  const auto& fleet = *row.option.service;
  const double p99 = row.p99_difference_s;
  return fmt::format("{} ({}): {} of it, {}{} a month, p99 {}",
                     full_name(row.option),
                     number_of(row.option.vcpus, "vCPU"),
                     fleet.machines,
                     sign(row.cost_difference),
                     money(std::abs(row.cost_difference), row.option.cost.unit),
                     std::abs(p99) < 1e-3 * row.option.p99.value
                         ? std::string("the same")
                         : sign(p99) + duration(std::abs(p99)));
}

}  // namespace

std::string step_sentence(const FleetStep& step, const Option& now) {
  const auto change = step.p99.value - now.p99.value;
  return fmt::format("{} instead of {}: {}{} a month, {}, {} in time",
                     step.machines,
                     now.service->machines,
                     sign(step.cost_difference),
                     money(std::abs(step.cost_difference), now.cost.unit),
                     std::isinf(step.p99.value) ? std::string("more requests than they can answer")
                                                : fmt::format("p99 ~{} ({}{})",
                                                              duration(step.p99.value),
                                                              sign(change),
                                                              duration(std::abs(change))),
                     chance(step.p_enough));
}

std::string neighbour_sentence(const Neighbour& row) {
  if (row.option.tokens) {
    return token_neighbour(row);
  }
  if (row.option.service) {
    return neighbour_service(row);
  }
  const auto& currency = row.option.price_per_hour.currency();
  return fmt::format("{} ({}): {}{} per hour, {}{}, {}{} for the job",
                     full_name(row.option),
                     number_of(row.option.vcpus, "vCPU"),
                     sign(row.price_difference),
                     money(std::abs(row.price_difference), currency),
                     sign(row.hours_difference),
                     duration(std::abs(row.hours_difference) * 3600),
                     sign(row.cost_difference),
                     money(std::abs(row.cost_difference), row.option.cost.unit));
}

}  // namespace rightsize::report
