#include "kernels/cpu/panels.h"

#include <cstring>

namespace rightsize::cpu {
namespace {

template <typename Vector>
[[gnu::always_inline]] inline void load(const float* from, Vector& to) {
  std::memcpy(&to, from, sizeof(Vector));  // one unaligned move
}

template <typename Vector>
[[gnu::always_inline]] inline void store(const Vector& sum, float* to, bool accumulate) {
  Vector result = sum;
  if (accumulate) {
    Vector before;
    load(to, before);
    result += before;
  }
  std::memcpy(to, &result, sizeof(Vector));
}

// A tile of `Rows` x 2 vectors of C stays in registers while k runs.
template <typename Vector, int Rows>
[[gnu::always_inline]] inline void tile(const StridedMatrix& a,
                                        const float* b,
                                        float* c,
                                        std::int64_t c_stride,
                                        std::int64_t inner,
                                        bool accumulate) {
  constexpr auto lanes = sizeof(Vector) / sizeof(float);
  Vector sum[Rows][2] = {};
  for (std::int64_t k = 0; k < inner; ++k) {
    Vector left;
    Vector right;
    load(b + k * panel_width, left);
    load(b + k * panel_width + lanes, right);
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
      const float factor = a.data[i * a.row_stride + k * a.column_stride];
      sum[i][0] += factor * left;
      sum[i][1] += factor * right;
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i) {
    store(sum[i][0], c + i * c_stride, accumulate);
    store(sum[i][1], c + i * c_stride + lanes, accumulate);
  }
}

// All columns of one panel, two vectors at a time.
template <typename Vector, int Rows>
[[gnu::always_inline]] inline void strip(const StridedMatrix& a,
                                         const float* b,
                                         float* c,
                                         std::int64_t c_stride,
                                         std::int64_t inner,
                                         bool accumulate) {
  constexpr auto step = static_cast<std::int64_t>(2 * sizeof(Vector) / sizeof(float));
  for (std::int64_t j = 0; j < panel_width; j += step) {
    tile<Vector, Rows>(a, b + j, c + j, c_stride, inner, accumulate);
  }
}

template <typename Vector>
[[gnu::always_inline]] inline void multiply_with(const StridedMatrix& a,
                                                 const float* b,
                                                 std::int64_t panel_rows,
                                                 const RowMatrix& c,
                                                 const ProductShape& shape,
                                                 bool accumulate) {
  constexpr int block = 6;
  for (std::int64_t j = 0; j < shape.columns; j += panel_width) {
    const float* const panel = b + j * panel_rows;
    std::int64_t i = 0;
    const auto at = [&](std::int64_t row) {
      return StridedMatrix{a.data + row * a.row_stride, a.row_stride, a.column_stride};
    };
    for (; i + block <= shape.rows; i += block) {
      strip<Vector, block>(
          at(i), panel, c.data + i * c.stride + j, c.stride, shape.inner, accumulate);
    }
    for (; i < shape.rows; ++i) {
      strip<Vector, 1>(at(i), panel, c.data + i * c.stride + j, c.stride, shape.inner, accumulate);
    }
  }
}

using Vector128 [[gnu::vector_size(16)]] = float;
using Multiply = void (*)(
    const StridedMatrix&, const float*, std::int64_t, const RowMatrix&, const ProductShape&, bool);

void multiply_any(const StridedMatrix& a,
                  const float* b,
                  std::int64_t panel_rows,
                  const RowMatrix& c,
                  const ProductShape& shape,
                  bool accumulate) {
  multiply_with<Vector128>(a, b, panel_rows, c, shape, accumulate);
}

#if defined(__x86_64__)
using Vector256 [[gnu::vector_size(32)]] = float;
using Vector512 [[gnu::vector_size(64)]] = float;

[[gnu::target("avx2,fma")]] void multiply_avx2(const StridedMatrix& a,
                                               const float* b,
                                               std::int64_t panel_rows,
                                               const RowMatrix& c,
                                               const ProductShape& shape,
                                               bool accumulate) {
  multiply_with<Vector256>(a, b, panel_rows, c, shape, accumulate);
}

[[gnu::target("avx512f")]] void multiply_avx512(const StridedMatrix& a,
                                                const float* b,
                                                std::int64_t panel_rows,
                                                const RowMatrix& c,
                                                const ProductShape& shape,
                                                bool accumulate) {
  multiply_with<Vector512>(a, b, panel_rows, c, shape, accumulate);
}

Multiply best_kernel() {
  if (__builtin_cpu_supports("avx512f")) {
    return multiply_avx512;
  }
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? multiply_avx2
                                                                         : multiply_any;
}
#else
Multiply best_kernel() {
  return multiply_any;
}
#endif

}  // namespace

void multiply(const StridedMatrix& a,
              const float* b,
              std::int64_t panel_rows,
              const RowMatrix& c,
              const ProductShape& shape,
              bool accumulate) {
  static const Multiply kernel = best_kernel();
  kernel(a, b, panel_rows, c, shape, accumulate);
}

}  // namespace rightsize::cpu
