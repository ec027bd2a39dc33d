#include "profiler/measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace rightsize {
namespace {

constexpr double normal_consistency = 1.4826;

}  // namespace

double median_absolute_deviation(std::span<const double> samples) {
  const double middle = median(samples);
  std::vector<double> deviations;
  deviations.reserve(samples.size());
  for (const double sample : samples) {
    deviations.push_back(std::abs(sample - middle));
  }
  return normal_consistency * median(deviations);
}

Interval median_interval(std::span<const double> samples, double confidence) {
  if (samples.empty()) {
    return {};
  }
  std::vector<double> order(samples.begin(), samples.end());
  std::sort(order.begin(), order.end());
  const auto n = order.size();
  // Leave out the j lowest and the j highest while both tails together stay below 1 - confidence.
  double log_term = -static_cast<double>(n) * std::numbers::ln2;  // of P(binomial = 0)
  double tail = std::exp(log_term);                               // P(binomial <= j)
  std::size_t j = 0;
  while (2 * (j + 1) < n) {
    log_term += std::log(static_cast<double>(n - j) / static_cast<double>(j + 1));
    const double term = std::exp(log_term);
    if (2 * (tail + term) > 1 - confidence) {
      break;
    }
    tail += term;
    ++j;
  }
  return {order[j], order[n - 1 - j]};
}

Measured summarize(std::span<const double> samples) {
  Measured measured;
  if (samples.empty()) {
    return measured;
  }
  const auto interval = median_interval(samples);
  measured.median = median(samples);
  measured.low = interval.low;
  measured.high = interval.high;
  measured.relative_noise =
      measured.median > 0 ? median_absolute_deviation(samples) / measured.median : 0;
  measured.samples = static_cast<int>(samples.size());
  return measured;
}

}  // namespace rightsize
