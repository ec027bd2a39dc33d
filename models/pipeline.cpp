#include "models/pipeline.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rightsize {

std::string_view to_string(Bound bound) {
  switch (bound) {
    case Bound::disk:
      return "disk";
    case Bound::cpu:
      return "cpu";
    case Bound::loader:
      return "loader";
    case Bound::copy:
      return "copy";
    case Bound::accelerator:
      return "gpu";
  }
  return "unknown";
}

Bounds unlimited() {
  Bounds bounds;
  bounds.items_per_s.fill(std::numeric_limits<double>::infinity());
  return bounds;
}

ResourceBounds resources_of(const Bounds& bounds) {
  return {bounds[Bound::disk],
          std::min(bounds[Bound::cpu], bounds[Bound::loader]),
          bounds[Bound::copy],
          bounds[Bound::accelerator]};
}

namespace {

constexpr double last_digit = -40;  // exp(-40) = 4e-18

}  // namespace

double composed_items_per_s(const Bounds& bounds, double sharpness) {
  const double lowest = *std::min_element(bounds.items_per_s.begin(), bounds.items_per_s.end());
  if (!(lowest > 0) || std::isinf(lowest)) {
    return lowest;
  }
  // Scaled by the lowest bound so that large p cannot overflow. By logarithms, which this, asked
  // for millions of times in a search, has right to 14 digits at half the time of pow(); what is
  // below a double's last digit is left out.
  double sum = 0;
  for (const double bound : resources_of(bounds)) {
    if (bound == lowest) {
      sum += 1;
    } else if (!std::isinf(bound)) {
      const double exponent = sharpness * std::log(lowest / bound);
      sum += exponent > last_digit ? std::exp(exponent) : 0;
    }
  }
  return sum == 1 ? lowest : lowest * std::exp(-std::log(sum) / sharpness);
}

std::array<double, bound_count> bound_shares(const Bounds& bounds,
                                             double items_per_s,
                                             double sharpness) {
  std::array<double, bound_count> shares{};
  const bool loader_binds = bounds[Bound::loader] < bounds[Bound::cpu];
  const auto idle = static_cast<std::size_t>(loader_binds ? Bound::cpu : Bound::loader);
  for (std::size_t i = 0; i < bound_count; ++i) {
    const double bound = bounds.items_per_s[i];
    if (i == idle || std::isinf(bound)) {
      continue;
    }
    const double exponent = bound > 0 ? sharpness * std::log(items_per_s / bound) : 0;
    shares[i] = exponent > last_digit ? std::exp(exponent) : 0;
  }
  return shares;
}

Bound bottleneck(const Bounds& bounds) {
  const auto lowest = std::min_element(bounds.items_per_s.begin(), bounds.items_per_s.end());
  return static_cast<Bound>(lowest - bounds.items_per_s.begin());
}

std::array<double, bound_count> utilisation(const Bounds& bounds, double items_per_s) {
  std::array<double, bound_count> busy{};
  for (std::size_t i = 0; i < bound_count; ++i) {
    busy[i] = std::isinf(bounds.items_per_s[i]) ? 0.0 : items_per_s / bounds.items_per_s[i];
  }
  return busy;
}

std::array<double, bound_count> time_shares(std::array<double, bound_count> busy) {
  constexpr double sharpest = 1000;
  auto& cpu = busy[static_cast<std::size_t>(Bound::cpu)];
  auto& loader = busy[static_cast<std::size_t>(Bound::loader)];
  (loader > cpu ? cpu : loader) = 0;
  const auto sum_at = [&](double p) {
    double sum = 0;
    for (const double share : busy) {
      sum += share > 0 ? std::pow(share, p) : 0;
    }
    return sum;
  };
  double low = 1;
  double high = sharpest;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (sum_at(middle) > 1 ? low : high) = middle;
  }
  std::array<double, bound_count> shares{};
  const double sum = sum_at(high);
  for (std::size_t i = 0; i < bound_count && sum > 0; ++i) {
    shares[i] = busy[i] > 0 ? std::pow(busy[i], high) / sum : 0;
  }
  return shares;
}

}  // namespace rightsize
