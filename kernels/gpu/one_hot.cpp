// Token ids -> a one among zeros at every position. Nothing is learned, so nothing flows back.
#include "kernels/gpu/operation.h"
#include "kernels/gpu/sequence_kernels.h"

namespace rightsize::gpu {
namespace {

class OneHot final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor>) override {
    const auto output = lowering().tensor(output_shape(context().items), type());
    lowering().emit(named(".forward"),
                    [this, output] {
                      launch_one_hot(
                          tokens(), lowering().address(output), type(), output.shape, stream());
                      check_launch();
                    },
                    {context().shared.tokens, output.buffer});
    return output;
  }

  std::vector<Gradient> backward(const Gradient&) override { return {Gradient{}}; }
};

}  // namespace

std::unique_ptr<Operation> make_one_hot(const OperationContext& context) {
  return std::make_unique<OneHot>(context);
}

}  // namespace rightsize::gpu
