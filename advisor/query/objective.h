// What "better" means among machines that meet the constraints: cost, time, or both weighted.
#pragma once

#include <string>

namespace rightsize {

// Weights are exponents: score = cost^cost * hours^time, the weighted geometric mean, least is
// best. With cost 0.7 and time 0.3 a hundredth less time is worth 3/7 of a hundredth of the cost,
// whatever the units and whichever other machines are compared.
struct Objective {
  double cost = 1;
  double time = 0;  // the two add up to 1

  [[nodiscard]] double score(double cost_value, double hours) const;
  bool operator==(const Objective&) const = default;
};

// "cost", "time" or "cost*0.7+time*0.3"; weights are divided by their sum. Throws UsageError naming
// `what`.
[[nodiscard]] Objective parse_objective(const std::string& text, const std::string& what);

// "cost", "time", "cost*0.7+time*0.3": parse_objective() reads it back.
[[nodiscard]] std::string to_string(const Objective& objective);

// What the better one is to another: "cheaper", "faster", "better by cost*0.7+time*0.3".
[[nodiscard]] std::string comparative(const Objective& objective);

}  // namespace rightsize
