// How many machines a fleet takes as its minibatches turn out faster or slower than expected: whole
// ones, so its cost moves in steps. Prepared on a grid, between whose points the nearest answers.
#pragma once

#include <limits>
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

// No more machines than such a fleet takes, known without working it out: none is busy for more
// than all of its time, and one is the fewest.
class FleetFloor {
 public:
  FleetFloor(const Service& service, const ServerFleet& fleet);
  FleetFloor(const TokenService& service, const TokenFleet& fleet);

  // As FleetSteps::ln_score(), or less.
  [[nodiscard]] double ln_score(double ln_expected,
                                const Objective& objective,
                                double ln_factor) const;

 private:
  // ln(share of their time that as many as expected are busy); of a given number it is no matter
  double ln_busy_ = -std::numeric_limits<double>::infinity();
  double ln_one_ = 0;  // ln(1 / as many as expected)
  double reach_ = 0;   // of the steps' factors, in ln
};

}  // namespace rightsize
