// SwiGLU's gate (Shazeer, "GLU Variants Improve Transformer", 2020): {2 f} -> {f} features,
// silu(first half) * second half.
#include "kernels/cpu/gated.h"
#include "kernels/cpu/simd.h"

namespace rightsize::cpu {
namespace {

template <typename Element>
[[gnu::always_inline]] inline void gate_row(const Element* in, Element* out, std::int64_t width) {
#pragma omp simd
  for (std::int64_t c = 0; c < width; ++c) {
    const auto x = static_cast<float>(in[c]);
    const float silu = x / (1.0F + fast_exp(-x));
    store(silu * static_cast<float>(in[width + c]), out[c]);
  }
}

RIGHTSIZE_SIMD_CLONES void gate(const float* in, float* out, std::int64_t width) {
  gate_row(in, out, width);
}

RIGHTSIZE_SIMD_CLONES void gate(const Bf16* in, Bf16* out, std::int64_t width) {
  gate_row(in, out, width);
}

// silu'(x) = s + x s (1 - s) with s = sigmoid(x).
RIGHTSIZE_SIMD_CLONES void gate_gradient(const float* in,
                                         const float* gradient,
                                         float* out,
                                         std::int64_t width) {
#pragma omp simd
  for (std::int64_t c = 0; c < width; ++c) {
    const float x = in[c];
    const float s = 1.0F / (1.0F + fast_exp(-x));
    out[c] = gradient[c] * in[width + c] * (s + x * s * (1.0F - s));
    out[width + c] = gradient[c] * x * s;
  }
}

}  // namespace

std::unique_ptr<Operation> make_gated_silu(const OperationContext& context) {
  return make_gated(context, {gate, gate, gate_gradient});
}

}  // namespace rightsize::cpu
