// Two fleets against each other. A fleet's cost moves in steps, by whole machines, and its latency
// bends where the machines fill up, so ratios are drawn: what both share is drawn once, and each
// fleet is sized and timed for what came out.
#pragma once

#include "advisor/explain/comparison.h"

namespace rightsize {

// The cost of the machines it takes, and the latency of those it has, when everything takes
// exp(ln_factor) times as long as expected. Prepared on a grid, between whose points it answers.
class FleetResponse {
 public:
  // Require option.service and option.tokens.
  FleetResponse(const Service& service, const Option& option);
  FleetResponse(const TokenService& service, const Option& option);

  [[nodiscard]] double cost(double ln_factor) const;         // infinite: no number is enough
  [[nodiscard]] double p99_s(double ln_factor) const;        // infinite: saturated; of first tokens
  [[nodiscard]] double token_p99_s(double ln_factor) const;  // NaN where there is none

 private:
  [[nodiscard]] std::size_t nearest(double ln_factor) const;

  double step_ = 0;
  std::vector<double> costs_;
  std::vector<double> p99s_;
  std::vector<double> token_p99s_;
};

// A fleet with the service it answers, which may differ from the other's.
struct FleetSide {
  const Service& service;
  const Appraisal& appraisal;
};
struct TokenSide {
  const TokenService& service;
  const Appraisal& appraisal;
};

// Deterministic. `same_machine` as of ratios_of().
[[nodiscard]] Ratios fleet_ratios(const FleetSide& first,
                                  const FleetSide& second,
                                  bool same_machine = false);
[[nodiscard]] Ratios fleet_ratios(const TokenSide& first,
                                  const TokenSide& second,
                                  bool same_machine = false);

}  // namespace rightsize
