#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

class Dropout final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto output = lowering().tensor(inputs[0].shape, type());
    emit(named(".forward"), inputs[0], output);
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto& from = gradient.tensor;
    const auto result = gradient.exclusive ? from : lowering().tensor(from.shape, type());
    emit(named(".backward"), from, result);
    return {{result}};
  }

 private:
  void emit(std::string name, const Tensor& from, const Tensor& to) {
    const int state = context().shared.state;
    lowering().emit(std::move(name),
                    [this, from, to, state] {
                      launch_dropout(lowering().address(from),
                                     lowering().address(to),
                                     type(),
                                     from.shape.elements(),
                                     layer().dropout_rate,
                                     context().seed,
                                     lowering().address_as<StepState>(state),
                                     stream());
                      check_launch();
                    },
                    {from.buffer, to.buffer, state});
  }
};

}  // namespace

std::unique_ptr<Operation> make_dropout(const OperationContext& context) {
  return std::make_unique<Dropout>(context);
}

}  // namespace rightsize::gpu
