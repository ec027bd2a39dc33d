// The normal distribution.
#pragma once

#include <cmath>

namespace rightsize {

// P(a standard normal <= z).
[[nodiscard]] inline double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

}  // namespace rightsize
