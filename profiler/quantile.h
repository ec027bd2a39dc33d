// One rule for the quantiles of a sample, for what is measured and for how far off models are:
// linear interpolation between order statistics, Hyndman and Fan (1996), "Sample Quantiles in
// Statistical Packages", type 7. Durations too many to keep are counted in a histogram instead
// (histogram.h).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace rightsize {

// p in [0, 1]; 0 for no samples.
[[nodiscard]] inline double quantile_of_sorted(std::span<const double> sorted, double p) {
  if (sorted.empty()) {
    return 0;
  }
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, sorted.size() - 1);
  const double share = place - static_cast<double>(below);
  return sorted[below] + share * (sorted[above] - sorted[below]);
}

[[nodiscard]] inline double quantile(std::span<const double> samples, double p) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return quantile_of_sorted(sorted, p);
}

[[nodiscard]] inline double median(std::span<const double> samples) {
  return quantile(samples, 0.5);
}

}  // namespace rightsize
