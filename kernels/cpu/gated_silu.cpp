// SwiGLU's gate (Shazeer, "GLU Variants Improve Transformer", 2020): {2 f} -> {f} features,
// silu(first half) * second half.
#include "kernels/cpu/element.h"
#include "kernels/cpu/sequence.h"
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

class GatedSilu final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    out_ = sequence_shape(layer().out, context().items);
    in_ = {out_.items, out_.positions, 2 * out_.features};
    source_ = as_sequence(lowering(), inputs[0], in_);
    const auto output = lowering().buffer(sequence_desc(out_, lowering().type()));
    with_element(lowering().type(), [&](auto zero) {
      using Element = decltype(zero);
      lowering().emit(named(".forward"),
                      [source = source_, output, out = out_] {
#pragma omp parallel for schedule(static)
                        for (std::int64_t i = 0; i < out.rows(); ++i) {
                          gate(elements<Element>(source) + 2 * i * out.features,
                               elements<Element>(output) + i * out.features,
                               out.features);
                        }
                      },
                      {source_, output});
    });
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = as_sequence(lowering(), gradient.tensor, out_);
    const auto result = lowering().buffer(source_.desc());
    lowering().emit(named(".backward"),
                    [source = source_, arriving, result, out = out_] {
#pragma omp parallel for schedule(static)
                      for (std::int64_t i = 0; i < out.rows(); ++i) {
                        gate_gradient(source.data() + 2 * i * out.features,
                                      arriving.data() + i * out.features,
                                      result.data() + 2 * i * out.features,
                                      out.features);
                      }
                    },
                    {source_, arriving, result});
    return {{result}};
  }

 private:
  SequenceShape in_, out_;
  Tensor source_;
};

}  // namespace

std::unique_ptr<Operation> make_gated_silu(const OperationContext& context) {
  return std::make_unique<GatedSilu>(context);
}

}  // namespace rightsize::cpu
