#include "advisor/explain/asked_ratio.h"

#include <cmath>
#include <utility>
#include <vector>

#include "advisor/explain/drawn_ratio.h"
#include "advisor/judge/pair_chance.h"
#include "advisor/service/service_ratio.h"

namespace rightsize {
namespace {

// In closed form where both bills move with the time, which most do.
Ratios job_ratios(const Appraisal& a, const Appraisal& b, bool same_machine) {
  auto ratios = ratios_of(a, b, same_machine);
  if (a.uncertain.bill.moves_with_time() && b.uncertain.bill.moves_with_time()) {
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
  for (int i = 0; i < JointDraws::enough; ++i) {
    const auto [x, y] = draws.next();
    costs.push_back(std::exp(cost_b.moved(y) - cost_a.moved(x)));
  }
  ratios.cost = ratio_interval(
      std::move(costs), b.option.cost.value / a.option.cost.value, a.option, b.option);
  ratios.p_first_cheaper = 1 - chance_of_beating(cost_a, cost_b);
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
