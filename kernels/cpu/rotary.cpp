#include "kernels/cpu/rotary.h"

#include <cmath>

namespace rightsize::cpu {

void fill_rotary_table(
    float* table, std::int64_t first, std::int64_t positions, std::int64_t head_dim, double base) {
  const auto half = head_dim / 2;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < half; ++i) {
    const double frequency =
        std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(head_dim));
    for (std::int64_t t = 0; t < positions; ++t) {
      const double angle = static_cast<double>(first + t) * frequency;
      table[t * head_dim + i] = static_cast<float>(std::cos(angle));
      table[t * head_dim + half + i] = static_cast<float>(std::sin(angle));
    }
  }
}

void rotate(float* head, const float* row, std::int64_t head_dim) {
  const auto half = head_dim / 2;
#pragma omp simd
  for (std::int64_t i = 0; i < half; ++i) {
    const float a = head[i];
    const float b = head[half + i];
    head[i] = a * row[i] - b * row[half + i];
    head[half + i] = b * row[i] + a * row[half + i];
  }
}

void rotate_back(float* head, const float* row, std::int64_t head_dim) {
  const auto half = head_dim / 2;
#pragma omp simd
  for (std::int64_t i = 0; i < half; ++i) {
    const float a = head[i];
    const float b = head[half + i];
    head[i] = a * row[i] + b * row[half + i];
    head[half + i] = b * row[i] - a * row[half + i];
  }
}

}  // namespace rightsize::cpu
