// GEGLU (Shazeer, "GLU Variants Improve Transformer", 2020): of the two halves of a position's
// features the first one times gelu(second one), gelu(x) = x Phi(x).
#include <cmath>

#include "kernels/cpu/gated.h"
#include "kernels/cpu/simd.h"

namespace rightsize::cpu {
namespace {

struct Normal {
  float below = 0;    // Phi(x)
  float density = 0;  // Phi'(x)
};

// Abramowitz and Stegun, "Handbook of Mathematical Functions", 7.1.26, within 1.5e-7 / 2 of Phi.
[[gnu::always_inline]] inline Normal normal_at(float x) {
  constexpr float root_half = 0.70710678F;
  constexpr float inverse_root = 0.39894228F;  // 1 / sqrt(2 pi)
  const float bell = fast_exp(-0.5F * x * x);
  const float t = 1.0F / (1.0F + 0.3275911F * root_half * std::abs(x));
  float sum = 1.061405429F;
  sum = sum * t - 1.453152027F;
  sum = sum * t + 1.421413741F;
  sum = sum * t - 0.284496736F;
  sum = sum * t + 0.254829592F;
  const float tail = 0.5F * sum * t * bell;
  return {x < 0 ? tail : 1.0F - tail, inverse_root * bell};
}

template <typename Element>
[[gnu::always_inline]] inline void gate_row(const Element* in, Element* out, std::int64_t width) {
#pragma omp simd
  for (std::int64_t c = 0; c < width; ++c) {
    const auto x = static_cast<float>(in[width + c]);
    store(static_cast<float>(in[c]) * x * normal_at(x).below, out[c]);
  }
}

RIGHTSIZE_SIMD_CLONES void gate(const float* in, float* out, std::int64_t width) {
  gate_row(in, out, width);
}

RIGHTSIZE_SIMD_CLONES void gate(const Bf16* in, Bf16* out, std::int64_t width) {
  gate_row(in, out, width);
}

RIGHTSIZE_SIMD_CLONES void gate_gradient(const float* in,
                                         const float* gradient,
                                         float* out,
                                         std::int64_t width) {
#pragma omp simd
  for (std::int64_t c = 0; c < width; ++c) {
    const float x = in[width + c];
    const auto normal = normal_at(x);
    out[c] = gradient[c] * x * normal.below;
    out[width + c] = gradient[c] * in[c] * (normal.below + x * normal.density);
  }
}

}  // namespace

std::unique_ptr<Operation> make_gated_gelu(const OperationContext& context) {
  return make_gated(context, {gate, gate, gate_gradient});
}

}  // namespace rightsize::cpu
