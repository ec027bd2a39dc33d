#include "advisor/explain/drawn_ratio.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rightsize {

JointDraws::JointDraws(const UncertainCost& a, const UncertainCost& b, bool same_machine)
    : a_(a), b_(b), same_machine_(same_machine) {}

// Box and Muller: std::normal_distribution is not the same on every machine.
double JointDraws::normal() {
  const double u = (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53;
  const double v = static_cast<double>(random_() >> 11) * 0x1p-53;
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

std::array<double, 2> JointDraws::next() {
  std::array<double, 2> sum{};
  const auto add = [&](double sd_a, double sd_b, bool shared) {
    const double x = normal();
    const double y = normal();
    sum[0] += sd_a * x;
    sum[1] += sd_b * (shared ? x : y);
  };
  add(a_.model_sd, b_.model_sd, true);
  add(a_.accelerator_sd, b_.accelerator_sd, a_.gpu == b_.gpu);
  add(a_.cpu_speed_sd, b_.cpu_speed_sd, a_.cpu == b_.cpu);
  add(a_.disk_sd, b_.disk_sd, a_.disk == b_.disk);
  add(a_.own_sd, b_.own_sd, same_machine_);
  return sum;
}

double ratio_of(double first, double second) {
  return std::isinf(first) ? (std::isinf(second) ? 1.0 : 0.0) : second / first;
}

Estimate ratio_interval(std::vector<double> ratios,
                        double value,
                        const Option& a,
                        const Option& b) {
  std::sort(ratios.begin(), ratios.end());
  const double outside = (1 - a.cost.confidence) / 2;
  const auto at = [&](double share) {
    return ratios[static_cast<std::size_t>(share * static_cast<double>(ratios.size() - 1))];
  };
  return {value,
          std::min(value, at(outside)),
          std::max(value, at(1 - outside)),
          a.cost.confidence,
          "1",
          weaker(a.cost.source, b.cost.source)};
}

}  // namespace rightsize
