#include "advisor/explain/asked_ratio.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "advisor/explain/drawn_ratio.h"
#include "advisor/judge/pair_chance.h"
#include "advisor/service/service_ratio.h"

namespace rightsize {
namespace {

// `times`: how many times as long as expected b takes, over the same of a.
void set_times(const std::vector<double>& times, const Option& a, const Option& b, Ratios& ratios) {
  std::vector<double> hours;
  std::vector<double> rates;
  for (const double time : times) {
    hours.push_back(ratios.hours.value * time);
    rates.push_back(ratios.throughput.value / time);
  }
  const auto keep_source = [&](std::vector<double> drawn, Estimate& ratio) {
    const auto source = ratio.source;  // prices have no part in it
    ratio = ratio_interval(std::move(drawn), ratio.value, a, b);
    ratio.source = source;
  };
  keep_source(std::move(hours), ratios.hours);
  keep_source(std::move(rates), ratios.throughput);
}

// Of costs of b over those of a.
double share_above_one(const std::vector<double>& costs) {
  const auto count = [&](auto holds) {
    return static_cast<double>(std::count_if(costs.begin(), costs.end(), holds));
  };
  return (count([](double cost) { return cost > 1; }) +
          count([](double cost) { return cost == 1; }) / 2) /
         static_cast<double>(costs.size());
}

// In closed form where both bills move with the time, which most do, and errors count as much to
// either side.
Ratios job_ratios(const Appraisal& a, const Appraisal& b, bool same_machine) {
  auto ratios = ratios_of(a, b, same_machine);
  const bool with_time = a.uncertain.bill.moves_with_time() && b.uncertain.bill.moves_with_time();
  const bool even = a.uncertain.faster == 1 && b.uncertain.faster == 1;
  if (with_time && even) {
    return ratios;
  }
  const auto of_cost = [](const Appraisal& side) {
    UncertainCost cost = side.uncertain;
    cost.log_mean = std::log(side.option.cost.value);
    cost.time_weight = 0;
    return cost;
  };
  const auto cost_a = of_cost(a);
  const auto cost_b = of_cost(b);
  JointDraws draws(cost_a, cost_b, same_machine);
  std::vector<double> costs;
  std::vector<double> times;
  for (int i = 0; i < JointDraws::enough; ++i) {
    const auto [x, y] = draws.next();
    costs.push_back(std::exp(cost_b.moved(y) - cost_a.moved(x)));
    times.push_back(std::exp(cost_b.ln_time(y) - cost_a.ln_time(x)));
  }
  if (!even) {
    set_times(times, a.option, b.option, ratios);
  }
  ratios.p_first_cheaper =
      same_machine ? share_above_one(costs) : 1 - chance_of_beating(cost_a, cost_b);
  ratios.cost = ratio_interval(
      std::move(costs), b.option.cost.value / a.option.cost.value, a.option, b.option);
  return ratios;
}

}  // namespace

Ratios ratios_between(const AskedSide& first, const AskedSide& second, bool same_machine) {
  if (first.query.service) {
    return fleet_ratios(FleetSide{*first.query.service, first.appraisal},
                        FleetSide{*second.query.service, second.appraisal},
                        same_machine);
  }
  if (first.query.tokens) {
    return fleet_ratios(TokenSide{*first.query.tokens, first.appraisal},
                        TokenSide{*second.query.tokens, second.appraisal},
                        same_machine);
  }
  return job_ratios(first.appraisal, second.appraisal, same_machine);
}

}  // namespace rightsize
