// Small matrix products inside one thread, for attention: its blocks are too small and too many for
// a primitive each. C (+)= A B with B packed into panels of 32 columns, each panel row by row, so
// that the kernel reads it as one stream; register blocking as in Goto and van de Geijn, "Anatomy
// of High-Performance Matrix Multiplication", ACM TOMS 2008.
#pragma once

#include <cstdint>

namespace rightsize::cpu {

inline constexpr std::int64_t panel_width = 32;

[[nodiscard]] constexpr std::int64_t whole_panels(std::int64_t columns) {
  return (columns + panel_width - 1) / panel_width * panel_width;
}

// Element (i, k) is data[i * row_stride + k * column_stride]: a transposed A costs nothing.
struct StridedMatrix {
  const float* data = nullptr;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 1;
};

// Rows of `stride` floats; `stride` >= whole_panels(columns), as whole panels are written.
struct RowMatrix {
  float* data = nullptr;
  std::int64_t stride = 0;
};

struct ProductShape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;  // rounded up to whole panels
  std::int64_t inner = 0;
};

// Floats of a packed matrix of `inner` rows.
[[nodiscard]] constexpr std::int64_t packed_size(std::int64_t inner, std::int64_t columns) {
  return inner * whole_panels(columns);
}

// Where element (k, j) of a matrix of `inner` rows lies when packed.
[[nodiscard]] constexpr std::int64_t packed_index(std::int64_t inner,
                                                  std::int64_t k,
                                                  std::int64_t j) {
  return (j / panel_width * inner + k) * panel_width + j % panel_width;
}

// `panel_rows`: how many rows B was packed with; at least `shape.inner`, of which the first are
// read.
void multiply(const StridedMatrix& a,
              const float* b,
              std::int64_t panel_rows,
              const RowMatrix& c,
              const ProductShape& shape,
              bool accumulate);

}  // namespace rightsize::cpu
