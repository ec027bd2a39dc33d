#include "kernels/cpu/gated.h"

#include <type_traits>

#include "kernels/cpu/element.h"
#include "kernels/cpu/sequence.h"

namespace rightsize::cpu {
namespace {

class Gated final : public Operation {
 public:
  Gated(const OperationContext& context, const GateKernels& kernels)
      : Operation(context), kernels_(kernels) {}

  Tensor forward(std::span<const Tensor> inputs) override {
    out_ = sequence_shape(layer().out, context().items);
    source_ = as_sequence(lowering(), inputs[0], {out_.items, out_.positions, 2 * out_.features});
    const auto output = lowering().buffer(sequence_desc(out_, lowering().type()));
    with_element(lowering().type(), [&](auto zero) {
      using Element = decltype(zero);
      const auto gate = [this] {
        if constexpr (std::is_same_v<Element, float>) {
          return kernels_.forward;
        } else {
          return kernels_.forward_bf16;
        }
      }();
      lowering().emit(named(".forward"),
                      [source = source_, output, out = out_, gate] {
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
                    [source = source_, arriving, result, out = out_, gate = kernels_.backward] {
#pragma omp parallel for schedule(static)
                      for (std::int64_t i = 0; i < out.rows(); ++i) {
                        gate(source.data() + 2 * i * out.features,
                             arriving.data() + i * out.features,
                             result.data() + 2 * i * out.features,
                             out.features);
                      }
                    },
                    {source_, arriving, result});
    return {{result}};
  }

 private:
  GateKernels kernels_;
  SequenceShape out_;
  Tensor source_;
};

}  // namespace

std::unique_ptr<Operation> make_gated(const OperationContext& context, const GateKernels& kernels) {
  return std::make_unique<Gated>(context, kernels);
}

}  // namespace rightsize::cpu
