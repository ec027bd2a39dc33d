#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

void emit_sum(Lowering& lowering,
              const Device& device,
              std::string name,
              const Tensor& a,
              const Tensor& b,
              const Tensor& target,
              bool relu) {
  lowering.emit(std::move(name),
                [&lowering, &device, a, b, target, relu] {
                  launch_add(lowering.address(a),
                             lowering.address(b),
                             lowering.address(target),
                             target.type,
                             target.shape.elements(),
                             relu,
                             device.stream().get());
                  check_launch();
                },
                {a.buffer, b.buffer, target.buffer});
}

class Add final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    count_ = inputs.size();
    output_ = lowering().tensor(inputs[0].shape, type());
    for (std::size_t i = 1; i < count_; ++i) {
      const auto& first = i == 1 ? inputs[0] : output_;
      const bool relu = i + 1 == count_ && context().relu;
      emit_sum(lowering(), device(), named(".forward"), first, inputs[i], output_, relu);
    }
    return output_;
  }

  // A sum hands the same gradient to each of its inputs; none may overwrite it.
  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto inner = context().relu ? relu_backward(context(), output_, gradient) : gradient;
    return std::vector<Gradient>(count_, Gradient{inner.tensor, false});
  }

 private:
  std::size_t count_ = 0;
  Tensor output_;
};

}  // namespace

std::unique_ptr<Operation> make_add(const OperationContext& context) {
  return std::make_unique<Add>(context);
}

Gradient add_gradients(Lowering& lowering,
                       const Device& device,
                       const Gradient& a,
                       const Gradient& b) {
  const auto& first = b.exclusive ? b : a;
  const auto& second = b.exclusive ? a : b;
  const auto target =
      first.exclusive ? first.tensor : lowering.tensor(first.tensor.shape, first.tensor.type);
  emit_sum(lowering, device, "add_gradients", first.tensor, second.tensor, target, false);
  return {target};
}

}  // namespace rightsize::gpu
