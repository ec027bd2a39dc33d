#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

// A ReLU that could not become part of the operation before it.
class Relu final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    output_ = lowering().tensor(inputs[0].shape, type());
    lowering().emit(named(".forward"),
                    [this, source = inputs[0]] {
                      launch_relu(lowering().address(source),
                                  lowering().address(output_),
                                  type(),
                                  output_.shape.elements(),
                                  stream());
                      check_launch();
                    },
                    {inputs[0].buffer, output_.buffer});
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    return {relu_backward(context(), output_, gradient)};
  }

 private:
  Tensor output_;
};

}  // namespace

std::unique_ptr<Operation> make_relu(const OperationContext& context) {
  return std::make_unique<Relu>(context);
}

Gradient relu_backward(const OperationContext& context,
                       const Tensor& output,
                       const Gradient& gradient) {
  auto& lowering = context.lowering;
  const auto result =
      gradient.exclusive ? gradient.tensor : lowering.tensor(output.shape, output.type);
  lowering.emit(context.layer.name + ".relu_backward",
                [&lowering, &device = context.device, output, from = gradient.tensor, result] {
                  launch_relu_backward(lowering.address(output),
                                       lowering.address(from),
                                       lowering.address(result),
                                       output.type,
                                       output.shape.elements(),
                                       device.stream().get());
                  check_launch();
                },
                {output.buffer, gradient.tensor.buffer, result.buffer});
  return {result};
}

}  // namespace rightsize::gpu
