// For loops that the compiler vectorises: the macro that compiles a function for several
// instruction sets, the best one chosen when the program starts, and an exponential made of
// arithmetic alone. Thread sanitizer cannot start with such functions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define RIGHTSIZE_SIMD_CLONES [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#else
#define RIGHTSIZE_SIMD_CLONES
#endif

namespace rightsize::cpu {

// e^x within 2e-7 of its value; below -87 it stays at e^-87, about 1e-38.
// x = n ln 2 + r, e^r by its Taylor series up to r^7, 2^n into the exponent bits.
[[gnu::always_inline]] inline float fast_exp(float x) {
  constexpr float to_integer = 12582912.0F;  // 1.5 * 2^23: adding it rounds to whole numbers
  x = std::min(std::max(x, -87.0F), 88.0F);
  const float n = (x * 1.44269504F + to_integer) - to_integer;
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;  // ln 2 in two parts
  float sum = 1.0F / 5040;
  sum = sum * r + 1.0F / 720;
  sum = sum * r + 1.0F / 120;
  sum = sum * r + 1.0F / 24;
  sum = sum * r + 1.0F / 6;
  sum = sum * r + 0.5F;
  sum = sum * r + 1.0F;
  sum = sum * r + 1.0F;
  return sum * std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
}

// Of `count` values, which are no NaN; lowest() of none. Not by std::max: GCC keeps its order of
// comparison, and so one value after the other, which took longer than the exponentials behind it.
[[gnu::always_inline]] inline float largest_of(const float* values, std::int64_t count) {
  float largest = std::numeric_limits<float>::lowest();
#pragma omp simd reduction(max : largest)
  for (std::int64_t i = 0; i < count; ++i) {
    largest = values[i] > largest ? values[i] : largest;
  }
  return largest;
}

}  // namespace rightsize::cpu
