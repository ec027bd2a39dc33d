// Fully connected layers, which flatten their input, and linear ones: the same matrix at every
// position, which may be the table of an embedding (Press and Wolf, EACL 2017).
#include <optional>

#include "kernels/gpu/dense.h"

namespace rightsize::gpu {
namespace {

class Linear final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    output_ = lowering().tensor(output_shape(source_.shape.n), type());
    const bool flattens = layer().kind == LayerKind::fully_connected;
    const auto rows = flattens ? source_.shape.n : source_.shape.rows();
    dense_.emplace(context(),
                   DenseShape{rows, source_.shape.elements() / rows, layer().out.c},
                   matrix(),
                   flattens || layer().bias ? &parameter(".bias") : nullptr);
    dense_->forward(source_, output_);
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto inner = context().relu ? relu_backward(context(), output_, gradient) : gradient;
    dense_->backward_weights(inner.tensor);
    if (!context().input_gradient) {
      return {Gradient{}};
    }
    const auto result = lowering().tensor(source_.shape, type());
    dense_->backward_data(inner.tensor, result);
    return {{result}};
  }

 private:
  [[nodiscard]] const Parameter& matrix() const {
    if (layer().tied_to < 0) {
      return parameter(".weights");
    }
    const auto& owner = context().network.layers.at(static_cast<std::size_t>(layer().tied_to));
    return context().parameters.find(owner.name + ".weights");
  }

  Tensor source_, output_;
  std::optional<Dense> dense_;
};

}  // namespace

std::unique_ptr<Operation> make_linear(const OperationContext& context) {
  return std::make_unique<Linear>(context);
}

}  // namespace rightsize::gpu
