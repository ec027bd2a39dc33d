#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

class ElementWise final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    output_ = lowering().tensor(source_.shape, type());
    lowering().emit(named(".forward"),
                    [this] {
                      launch_activation(layer().activation,
                                        layer().activation_alpha,
                                        lowering().address(source_),
                                        lowering().address(output_),
                                        type(),
                                        output_.shape.elements(),
                                        stream());
                      check_launch();
                    },
                    {source_.buffer, output_.buffer});
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto kept = told_from_output(layer().activation) ? output_ : source_;
    const auto from = gradient.tensor;
    const auto result = gradient.exclusive ? from : lowering().tensor(from.shape, type());
    lowering().emit(named(".backward"),
                    [this, kept, from, result] {
                      launch_activation_backward(layer().activation,
                                                 layer().activation_alpha,
                                                 lowering().address(kept),
                                                 lowering().address(from),
                                                 lowering().address(result),
                                                 type(),
                                                 from.shape.elements(),
                                                 stream());
                      check_launch();
                    },
                    {kept.buffer, from.buffer, result.buffer});
    return {{result}};
  }

 private:
  Tensor source_, output_;
};

}  // namespace

std::unique_ptr<Operation> make_activation(const OperationContext& context) {
  return std::make_unique<ElementWise>(context);
}

}  // namespace rightsize::gpu
