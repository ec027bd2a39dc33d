// Seeded random numbers made of integer and IEEE arithmetic only: the standard distributions and
// the logarithm may differ between libraries, these do not. Generator: Steele, Lea & Flood,
// "SplitMix", OOPSLA 2014.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rightsize::simulate {

// ln x of a positive normal number, good to 1e-15: ln(m 2^e) with m in [sqrt(1/2), sqrt(2)) by the
// series of 2 artanh((m - 1) / (m + 1)). Abramowitz & Stegun, 4.1.27.
[[nodiscard]] inline double portable_log(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double mantissa = std::bit_cast<double>((bits & 0xfffffffffffffULL) | 0x3ff0000000000000ULL);
  if (mantissa > 1.4142135623730951) {
    mantissa *= 0.5;
    ++exponent;
  }
  const double z = (mantissa - 1.0) / (mantissa + 1.0);
  const double square = z * z;
  double sum = 0;
  for (int odd = 21; odd >= 1; odd -= 2) {
    sum = sum * square + 1.0 / odd;
  }
  return exponent * 0.6931471805599453 + 2.0 * z * sum;
}

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

  // One of at least one and at most 2^32 values.
  [[nodiscard]] double one_of(std::span<const double> values) {
    return values[static_cast<std::size_t>((next() >> 32) * values.size() >> 32)];
  }

  // Exponential with this mean, by inversion.
  [[nodiscard]] double exponential(double mean) { return -mean * portable_log(1.0 - uniform()); }

  // Mean 1, standard deviation `deviation`, never negative: the sum of three uniforms (Irwin-Hall,
  // here the 21-bit thirds of one draw), close to a normal and bounded at 3 standard deviations.
  [[nodiscard]] double factor(double deviation) {
    constexpr std::uint64_t third = (1ULL << 21) - 1;
    const std::uint64_t draw = next();
    const std::uint64_t sum = (draw & third) + (draw >> 21 & third) + (draw >> 42 & third);
    // The mean of a third is half a unit below 1/2.
    const double centred = static_cast<double>(static_cast<std::int64_t>(sum)) * 0x1.0p-21 - 1.5;
    const double value = 1.0 + 2.0 * deviation * (centred + 1.5 * 0x1.0p-21);
    return value > 0.05 ? value : 0.05;
  }

 private:
  std::uint64_t state_;
};

}  // namespace rightsize::simulate
