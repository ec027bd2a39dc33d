#include <functional>
#include <numeric>
#include <optional>

#include "kernels/cpu/dense.h"

namespace rightsize::cpu {
namespace {

using dnnl::memory;

// A linear layer over the whole input, flattened to n x (c h w) first: oneDNN's kernels for 2-D
// inputs share one weight layout between the passes, those for 4-D do not, and reordering the
// weights of AlexNet's fc6 cost as much as using them.
class InnerProduct final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto flat = flattened(inputs[0]);
    dense_.emplace(context(),
                   DenseShape{.rows = dims_of(flat.desc())[0],
                              .in = dims_of(flat.desc())[1],
                              .out = layer().out.c,
                              .bias = true});
    output_ = dense_->forward(flat);
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto inner =
        context().relu
            ? relu_backward(lowering(), named(".relu_backward"), output_, gradient, context().relu6)
            : gradient;
    const auto arriving = lowering().reordered(inner.tensor, output_.desc());
    dense_->backward_weights(arriving);
    if (!context().input_gradient) {
      return {Gradient{}};
    }
    return {{lowering().view(dense_->backward_data(arriving), plain_of_type(input_dims_))}};
  }

 private:
  [[nodiscard]] memory::desc plain_of_type(const memory::dims& dims) const {
    return with_type(plain(dims), lowering().type());
  }

  Tensor flattened(const Tensor& input) {
    input_dims_ = dims_of(input.desc());
    auto source = lowering().reordered(input, plain_of_type(input_dims_));
    if (source.buffer < 0) {  // the caller's images have no planned buffer to take a view of
      source = lowering().buffer(plain_of_type(input_dims_));
      lowering().copy(input, source);
    }
    const auto features = std::accumulate(
        input_dims_.begin() + 1, input_dims_.end(), memory::dim{1}, std::multiplies<>());
    return lowering().view(source, plain_of_type({input_dims_[0], features}));
  }

  memory::dims input_dims_;
  std::optional<Dense> dense_;
  Tensor output_;
};

}  // namespace

std::unique_ptr<Operation> make_inner_product(const OperationContext& context) {
  return std::make_unique<InnerProduct>(context);
}

}  // namespace rightsize::cpu
