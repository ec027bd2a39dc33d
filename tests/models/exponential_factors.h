// Exponential times for the simulator, which draws factors from a list.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace rightsize::test {

// 2^14 equally likely slices of the exponential distribution, each at its median, mean 1.
inline std::vector<double> exponential_factors() {
  constexpr int slices = 1 << 14;
  std::vector<double> factors(slices);
  double mean = 0;
  for (int i = 0; i < slices; ++i) {
    factors[static_cast<std::size_t>(i)] = -std::log(1 - (i + 0.5) / slices);
    mean += factors[static_cast<std::size_t>(i)] / slices;
  }
  for (double& factor : factors) {
    factor /= mean;
  }
  return factors;
}

}  // namespace rightsize::test
