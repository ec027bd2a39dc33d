// Two fleets against each other. A fleet's cost moves in steps, by whole machines, and its latency
// bends where the machines fill up, so ratios are drawn: what both share is drawn once, and each
// fleet is sized and timed for what came out.
#pragma once

#include <cstdint>

#include "advisor/comparison.h"

namespace rightsize {

// The cost of the machines it takes, and the latency of those it has, when every minibatch takes
// exp(ln_factor) times as long as expected. Prepared on a grid, between whose points it answers.
class FleetResponse {
 public:
  // Requires option.service.
  FleetResponse(const Service& service, const Option& option);

  [[nodiscard]] double cost(double ln_factor) const;   // infinite: no number is enough
  [[nodiscard]] double p99_s(double ln_factor) const;  // infinite: saturated

 private:
  [[nodiscard]] std::size_t nearest(double ln_factor) const;

  double step_ = 0;
  std::vector<double> costs_;
  std::vector<double> p99s_;
};

// A fleet with the service it answers, which may differ from the other's.
struct FleetSide {
  const Service& service;
  const Appraisal& appraisal;
};

// Deterministic. `same_machine` as of ratios_of().
[[nodiscard]] Ratios fleet_ratios(const FleetSide& first,
                                  const FleetSide& second,
                                  bool same_machine = false);

}  // namespace rightsize
