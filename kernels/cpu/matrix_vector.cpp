#include "kernels/cpu/matrix_vector.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu/simd.h"

namespace rightsize::cpu {
namespace {

constexpr std::int64_t lanes = 16;
using Vector [[gnu::vector_size(64)]] = float;
using HalfVector [[gnu::vector_size(32)]] = std::uint16_t;
using BitVector [[gnu::vector_size(64)]] = std::uint32_t;

[[gnu::always_inline]] inline void load(const float* from, Vector& to) {
  std::memcpy(&to, from, sizeof to);
}

[[gnu::always_inline]] inline void load(const Bf16* from, Vector& to) {
  HalfVector half;
  std::memcpy(&half, from, sizeof half);
  const BitVector bits = __builtin_convertvector(half, BitVector) << 16;
  std::memcpy(&to, &bits, sizeof to);
}

// One row of the weights, read as one stream, times `Items` rows of x.
template <int Items, typename Element>
[[gnu::always_inline]] inline void dot(const float* x,
                                       const Element* weights,
                                       std::int64_t in,
                                       float* sums) {
  constexpr int chains = 4;  // additions that do not wait for each other
  Vector partial[Items][chains] = {};
  std::int64_t c = 0;
  for (; c + chains * lanes <= in; c += chains * lanes) {
#pragma GCC unroll 4
    for (int chain = 0; chain < chains; ++chain) {
      Vector weight;
      load(weights + c + chain * lanes, weight);
#pragma GCC unroll 4
      for (int n = 0; n < Items; ++n) {
        Vector factor;
        load(x + n * in + c + chain * lanes, factor);
        partial[n][chain] += factor * weight;
      }
    }
  }
#pragma GCC unroll 4
  for (int n = 0; n < Items; ++n) {
    const Vector all = (partial[n][0] + partial[n][1]) + (partial[n][2] + partial[n][3]);
    float sum = 0;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      sum += all[lane];
    }
    for (std::int64_t rest = c; rest < in; ++rest) {
      sum += x[n * in + rest] * static_cast<float>(weights[rest]);
    }
    sums[n] = sum;
  }
}

template <int Items, typename Element>
[[gnu::always_inline]] inline void outputs_of(const float* x,
                                              const Element* weights,
                                              const float* bias,
                                              Element* y,
                                              const MatrixVectorShape& shape,
                                              std::int64_t first,
                                              std::int64_t last) {
  for (std::int64_t k = first; k < last; ++k) {
    float sums[Items];
    dot<Items>(x, weights + k * shape.in, shape.in, sums);
    for (int n = 0; n < Items; ++n) {
      const float sum = bias == nullptr ? sums[n] : sums[n] + bias[k];
      y[n * shape.out + k] = Element(shape.relu ? std::max(sum, 0.0F) : sum);
    }
  }
}

template <typename Element>
[[gnu::always_inline]] inline void outputs(const float* x,
                                           const Element* weights,
                                           const float* bias,
                                           Element* y,
                                           const MatrixVectorShape& shape,
                                           std::int64_t first,
                                           std::int64_t last) {
  static_assert(matrix_vector_rows == 2);
  return shape.rows == 1 ? outputs_of<1>(x, weights, bias, y, shape, first, last)
                         : outputs_of<2>(x, weights, bias, y, shape, first, last);
}

RIGHTSIZE_SIMD_CLONES void run(const float* x,
                               const float* weights,
                               const float* bias,
                               float* y,
                               const MatrixVectorShape& shape,
                               std::int64_t first,
                               std::int64_t last) {
  outputs(x, weights, bias, y, shape, first, last);
}

RIGHTSIZE_SIMD_CLONES void run(const float* x,
                               const Bf16* weights,
                               const float* bias,
                               Bf16* y,
                               const MatrixVectorShape& shape,
                               std::int64_t first,
                               std::int64_t last) {
  outputs(x, weights, bias, y, shape, first, last);
}

}  // namespace

template <typename Element>
void matrix_vector(const float* x,
                   const Element* weights,
                   const float* bias,
                   Element* y,
                   const MatrixVectorShape& shape) {
  constexpr std::int64_t piece = 64;  // outputs handed to a thread at a time
#pragma omp parallel for schedule(static)
  for (std::int64_t first = 0; first < shape.out; first += piece) {
    run(x, weights, bias, y, shape, first, std::min(first + piece, shape.out));
  }
}

template void matrix_vector(
    const float*, const float*, const float*, float*, const MatrixVectorShape&);
template void matrix_vector(
    const float*, const Bf16*, const float*, Bf16*, const MatrixVectorShape&);

}  // namespace rightsize::cpu
