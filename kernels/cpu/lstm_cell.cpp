#include "kernels/cpu/lstm_cell.h"

#include "kernels/cpu/simd.h"

namespace rightsize::cpu {
namespace {

[[gnu::always_inline]] inline float sigmoid(float x) {
  return 1.0F / (1.0F + fast_exp(-x));
}

[[gnu::always_inline]] inline float tanh_of(float x) {
  return 2.0F * sigmoid(2.0F * x) - 1.0F;
}

}  // namespace

RIGHTSIZE_SIMD_CLONES void lstm_cell_forward(const LstmCellForward& cell) {
  const auto hidden = cell.hidden;
  float* const __restrict in = cell.gates;
  float* const __restrict forget = cell.gates + hidden;
  float* const __restrict candidate = cell.gates + 2 * hidden;
  float* const __restrict out = cell.gates + 3 * hidden;
  const float* const __restrict before = cell.cell_before;
  float* const __restrict now = cell.cell;
  float* const __restrict result = cell.output;
#pragma omp simd
  for (std::int64_t k = 0; k < hidden; ++k) {
    const float i = sigmoid(in[k]);
    const float f = sigmoid(forget[k]);
    const float g = tanh_of(candidate[k]);
    const float o = sigmoid(out[k]);
    const float c = f * before[k] + i * g;
    in[k] = i;
    forget[k] = f;
    candidate[k] = g;
    out[k] = o;
    now[k] = c;
    result[k] = o * tanh_of(c);
  }
}

RIGHTSIZE_SIMD_CLONES void lstm_cell_backward(const LstmCellBackward& cell) {
  const auto hidden = cell.hidden;
  float* const __restrict in = cell.gates;
  float* const __restrict forget = cell.gates + hidden;
  float* const __restrict candidate = cell.gates + 2 * hidden;
  float* const __restrict out = cell.gates + 3 * hidden;
  const float* const __restrict before = cell.cell_before;
  const float* const __restrict now = cell.cell;
  const float* const __restrict above = cell.output_gradient;
  const float* const __restrict later = cell.recurrent_gradient;
  float* const __restrict dc_in_out = cell.cell_gradient;
#pragma omp simd
  for (std::int64_t k = 0; k < hidden; ++k) {
    const float i = in[k];
    const float f = forget[k];
    const float g = candidate[k];
    const float o = out[k];
    const float t = tanh_of(now[k]);
    const float dh = above[k] + later[k];
    const float dc = dc_in_out[k] + dh * o * (1.0F - t * t);
    in[k] = dc * g * i * (1.0F - i);
    forget[k] = dc * before[k] * f * (1.0F - f);
    candidate[k] = dc * i * (1.0F - g * g);
    out[k] = dh * t * o * (1.0F - o);
    dc_in_out[k] = dc * f;
  }
}

}  // namespace rightsize::cpu
