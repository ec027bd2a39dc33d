#include "kernels/cpu/local_response_lines.h"

#include <algorithm>
#include <cmath>

#include "kernels/cpu/simd.h"

namespace rightsize::cpu {
namespace {

// s^-beta. 0.75, which networks have, is two square roots.
struct ThreeQuarters {
  [[gnu::always_inline]] float operator()(float s) const {
    const float root = 1 / std::sqrt(s);
    return root * std::sqrt(root);
  }
};

struct AnyPower {
  float beta;
  [[gnu::always_inline]] float operator()(float s) const { return std::pow(s, -beta); }
};

template <typename Loop>
[[gnu::always_inline]] inline void with_power(float beta, Loop loop) {
  if (beta == 0.75F) {
    loop(ThreeQuarters());
  } else {
    loop(AnyPower{beta});
  }
}

// sums[c] += values[c - before] + ... + values[c + after], of those that there are.
[[gnu::always_inline]] inline void add_windows(
    const float* values, std::int64_t count, std::int64_t before, std::int64_t after, float* sums) {
  for (auto shift = -before; shift <= after; ++shift) {
    const auto from = std::max<std::int64_t>(0, -shift);
    const auto to = std::min(count, count - shift);
    for (auto c = from; c < to; ++c) {
      sums[c] += values[c + shift];
    }
  }
}

RIGHTSIZE_SIMD_CLONES
void normalise_row(const ResponseNorm& norm, const float* x, float* s, float* y) {
  const auto channels = norm.channels;
  const float a = norm.alpha / static_cast<float>(norm.size);
  for (std::int64_t c = 0; c < channels; ++c) {
    y[c] = a * x[c] * x[c];
    s[c] = norm.k;
  }
  add_windows(y, channels, norm.before(), norm.after(), s);
  with_power(norm.beta, [&](auto power) {
    for (std::int64_t c = 0; c < channels; ++c) {
      y[c] = x[c] * power(s[c]);
    }
  });
}

RIGHTSIZE_SIMD_CLONES
void gradient_of_row(const ResponseNorm& norm,
                     const float* x,
                     const float* s,
                     const float* dy,
                     float* terms,
                     float* dx) {
  const auto channels = norm.channels;
  const float factor = -2 * norm.alpha * norm.beta / static_cast<float>(norm.size);
  with_power(norm.beta, [&](auto power) {
    for (std::int64_t c = 0; c < channels; ++c) {
      terms[c] = dy[c] * x[c] * power(s[c]) / s[c];
      dx[c] = 0;
    }
    // A channel is in the windows of those that have it before or behind them.
    add_windows(terms, channels, norm.after(), norm.before(), dx);
    for (std::int64_t c = 0; c < channels; ++c) {
      dx[c] = dy[c] * power(s[c]) + factor * x[c] * dx[c];
    }
  });
}

}  // namespace

void normalise_responses(const ResponseNorm& norm, const float* x, float* s, float* y) {
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < norm.rows; ++row) {
    const auto at = row * norm.channels;
    normalise_row(norm, x + at, s + at, y + at);
  }
}

void response_gradients(const ResponseNorm& norm,
                        const float* x,
                        const float* s,
                        const float* dy,
                        float* terms,
                        float* dx) {
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < norm.rows; ++row) {
    const auto at = row * norm.channels;
    gradient_of_row(norm, x + at, s + at, dy + at, terms + at, dx + at);
  }
}

}  // namespace rightsize::cpu
