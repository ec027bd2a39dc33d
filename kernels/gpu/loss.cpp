#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

// The scores pass through; the gradient is made together with the loss, from one reading of them.
class Loss final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    scores_ = inputs[0];
    if (context().has_backward) {
      gradient_ = lowering().tensor(scores_.shape, type());
    }
    const auto& shared = context().shared;
    const auto rows = static_cast<std::size_t>(scores_.shape.rows());
    lowering().grow(shared.partials, 2 * rows * sizeof(float));
    lowering().emit(
        named(".forward"),
        [this] { run(); },
        {scores_.buffer, gradient_.buffer, shared.labels, shared.partials, shared.state});
    return scores_;
  }

  std::vector<Gradient> backward(const Gradient&) override { return {{gradient_}}; }

 private:
  void run() {
    const auto& shared = context().shared;
    launch_softmax_loss(lowering().address(scores_),
                        lowering().address_as<int>(shared.labels),
                        gradient_ ? lowering().address(gradient_) : nullptr,
                        lowering().address_as<float>(shared.partials),
                        lowering().address_as<StepState>(shared.state),
                        type(),
                        scores_.shape.rows(),
                        scores_.shape.c,
                        stream());
    check_launch();
  }

  Tensor scores_, gradient_;
};

}  // namespace

std::unique_ptr<Operation> make_loss(const OperationContext& context) {
  return std::make_unique<Loss>(context);
}

}  // namespace rightsize::gpu
