// SwiGLU's gate (Shazeer, "GLU Variants Improve Transformer", 2020): {2 f} -> {f} features.
#include "kernels/gpu/operation.h"
#include "kernels/gpu/sequence_kernels.h"

namespace rightsize::gpu {
namespace {

class GatedSilu final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    const auto output = lowering().tensor(output_shape(source_.shape.n), type());
    lowering().emit(named(".forward"),
                    [this, output] {
                      launch_gated_silu(lowering().address(source_),
                                        lowering().address(output),
                                        type(),
                                        output.shape.rows(),
                                        output.shape.c,
                                        stream());
                      check_launch();
                    },
                    {source_.buffer, output.buffer});
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto from = gradient.tensor;
    const auto result = lowering().tensor(source_.shape, type());
    lowering().emit(named(".backward"),
                    [this, from, result] {
                      launch_gated_silu_backward(lowering().address(source_),
                                                 lowering().address(from),
                                                 lowering().address(result),
                                                 type(),
                                                 from.shape.rows(),
                                                 from.shape.c,
                                                 stream());
                      check_launch();
                    },
                    {source_.buffer, from.buffer, result.buffer});
    return {{result}};
  }

 private:
  Tensor source_;
};

}  // namespace

std::unique_ptr<Operation> make_gated_silu(const OperationContext& context) {
  return std::make_unique<GatedSilu>(context);
}

}  // namespace rightsize::gpu
