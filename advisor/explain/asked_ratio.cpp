#include "advisor/explain/asked_ratio.h"

#include <cmath>
#include <utility>
#include <vector>

#include "advisor/explain/drawn_ratio.h"
#include "advisor/service/service_ratio.h"

namespace rightsize {
namespace {

// In closed form where both bills move with the time, which most do.
Ratios job_ratios(const Appraisal& a, const Appraisal& b, bool same_machine) {
  auto ratios = ratios_of(a, b, same_machine);
  const auto& of_a = a.uncertain.bill;
  const auto& of_b = b.uncertain.bill;
  if (of_a.moves_with_time() && of_b.moves_with_time()) {
    return ratios;
  }
  JointDraws draws(a.uncertain, b.uncertain, same_machine);
  std::vector<double> costs;
  double cheaper = 0;
  for (int i = 0; i < JointDraws::enough; ++i) {
    const auto [x, y] = draws.next();
    const double cost_a = a.option.cost.value * std::exp(of_a.ln_bill(x));
    const double cost_b = b.option.cost.value * std::exp(of_b.ln_bill(y));
    cheaper += cost_a < cost_b ? 1 : cost_a == cost_b ? 0.5 : 0;
    costs.push_back(cost_b / cost_a);
  }
  ratios.cost = ratio_interval(
      std::move(costs), b.option.cost.value / a.option.cost.value, a.option, b.option);
  ratios.p_first_cheaper = cheaper / JointDraws::enough;
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
