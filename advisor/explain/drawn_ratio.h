// Ratios of two options that err together, from joint draws: where a cost moves in steps there is
// no closed form of them.
#pragma once

#include <array>
#include <random>
#include <vector>

#include "advisor/judge/uncertain_cost.h"
#include "advisor/recommendation.h"

namespace rightsize {

// How much slower than expected each of two is, drawn together; the same on every machine.
class JointDraws {
 public:
  static constexpr int enough = 4000;

  // Both are borrowed. `same_machine`: one machine supposed in two ways, whose own error is shared.
  JointDraws(const UncertainCost& a, const UncertainCost& b, bool same_machine);

  // In ln.
  [[nodiscard]] std::array<double, 2> next();

 private:
  [[nodiscard]] double normal();

  const UncertainCost& a_;
  const UncertainCost& b_;
  bool same_machine_;
  std::mt19937_64 random_{1};
};

// What both cannot do is no ratio; what one of them cannot do is one without end.
[[nodiscard]] double ratio_of(double first, double second);

// Around `value`, with the confidence of the options' costs.
[[nodiscard]] Estimate ratio_interval(std::vector<double> ratios,
                                      double value,
                                      const Option& a,
                                      const Option& b);

}  // namespace rightsize
