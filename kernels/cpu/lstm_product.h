// The matrix products of an LSTM.
#pragma once

#include <cstdint>

namespace rightsize::cpu {

struct Matrix {
  const float* data;
  std::int64_t stride;  // from row to row
  char transposed = 'N';
};

// C (m x n) = op(A) op(B) + beta C, row-major, over k; on all threads, within a parallel region on
// the calling one.
void multiply(std::int64_t m,
              std::int64_t n,
              std::int64_t k,
              const Matrix& a,
              const Matrix& b,
              float beta,
              float* c,
              std::int64_t c_stride);

}  // namespace rightsize::cpu
