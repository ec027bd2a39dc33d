#include "kernels/gpu/layout.h"

#include <cassert>

namespace rightsize::gpu {
namespace {

// Each block of rows x columns becomes columns x rows.
std::vector<float> transposed(std::span<const float> values,
                              std::int64_t items,
                              std::int64_t rows,
                              std::int64_t columns) {
  assert(static_cast<std::int64_t>(values.size()) == items * rows * columns);
  std::vector<float> result(values.size());
  for (std::int64_t i = 0; i < items; ++i) {
    const auto block = i * rows * columns;
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t k = 0; k < columns; ++k) {
        result[static_cast<std::size_t>(block + k * rows + r)] =
            values[static_cast<std::size_t>(block + r * columns + k)];
      }
    }
  }
  return result;
}

}  // namespace

std::vector<float> to_channels_last(std::span<const float> values,
                                    std::int64_t items,
                                    std::int64_t c,
                                    std::int64_t area) {
  return transposed(values, items, c, area);
}

std::vector<float> to_channels_first(std::span<const float> values,
                                     std::int64_t items,
                                     std::int64_t c,
                                     std::int64_t area) {
  return transposed(values, items, area, c);
}

}  // namespace rightsize::gpu
