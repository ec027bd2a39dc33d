// Seeded random numbers made of integer and IEEE arithmetic only: the standard distributions may
// differ between libraries, these do not. Generator: Steele, Lea & Flood, "SplitMix", OOPSLA 2014.
#pragma once

#include <cstdint>

namespace rightsize::simulate {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  [[nodiscard]] std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  // Uniform in [0, 1).
  [[nodiscard]] double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // Mean 1, standard deviation `deviation`, never negative: the sum of three uniforms (Irwin-Hall),
  // close to a normal and bounded at 3 standard deviations.
  [[nodiscard]] double factor(double deviation) {
    const double sum = uniform() + uniform() + uniform() - 1.5;
    const double value = 1.0 + 2.0 * deviation * sum;
    return value > 0.05 ? value : 0.05;
  }

 private:
  std::uint64_t state_;
};

}  // namespace rightsize::simulate
