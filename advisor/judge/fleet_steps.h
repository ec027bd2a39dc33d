// How many machines a fleet takes as its minibatches turn out faster or slower than expected: whole
// ones, so its cost moves in steps. Prepared on a grid, between whose points the nearest answers.
#pragma once

#include <vector>

#include "advisor/query/objective.h"
#include "advisor/service/service.h"
#include "advisor/tokens/token_service.h"

namespace rightsize {

class FleetSteps {
 public:
  FleetSteps(const Service& service, const ServerFleet& fleet);
  FleetSteps(const TokenService& service, const TokenFleet& fleet);

  // ln(machines it then takes / those it has) when every minibatch takes exp(`ln_factor`) times as
  // long as expected; 0 where their number is given, infinite where no number is enough.
  [[nodiscard]] double ln_machines(double ln_factor) const;

  // ln of its score by the objective then; `ln_expected` is that of the fleet as expected.
  [[nodiscard]] double ln_score(double ln_expected,
                                const Objective& objective,
                                double ln_factor) const;

 private:
  // `taken(factor)` machines; 0: no number is enough.
  template <typename Taken>
  void fill(double sd, int machines, const Taken& taken);

  double step_ = 0;
  std::vector<double> ln_machines_;
};

}  // namespace rightsize
