// Products of very few rows with a large matrix, as in generating text for one or two users: bound
// by reading the weights once, so each thread reads its rows of them in order. oneDNN's products
// reach half the memory bandwidth at one row.
#pragma once

#include <cstdint>

#include "kernels/cpu/bf16.h"

namespace rightsize::cpu {

// At more rows the arithmetic counts, and oneDNN's blocking pays.
inline constexpr std::int64_t matrix_vector_rows = 2;

struct MatrixVectorShape {
  std::int64_t rows = 0;
  std::int64_t in = 0;
  std::int64_t out = 0;
  bool relu = false;
};

// y {rows, out} = x {rows, in} W^T + bias, W {out, in}; all dense row by row, sums in FP32, x too,
// as it is read for every row of W. `bias` may be null.
template <typename Element>
void matrix_vector(const float* x,
                   const Element* weights,
                   const float* bias,
                   Element* y,
                   const MatrixVectorShape& shape);

}  // namespace rightsize::cpu
