#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

using dnnl::memory;
using dnnl::prop_kind;

// A linear layer over the whole input, flattened to n x (c h w) first: oneDNN's kernels for 2-D
// inputs share one weight layout between the passes, those for 4-D do not, and reordering the
// weights of AlexNet's fc6 cost as much as using them.
class InnerProduct final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto flat = flattened(inputs[0]);
    source_dims_ = flat.desc().dims();
    output_dims_ = {source_dims_[0], layer().out.c};
    weight_dims_ = {layer().out.c, source_dims_[1]};
    const auto pd = forward_description();
    add_parameters(pd);
    source_ = lowering().reordered(flat, pd.src_desc());
    output_ = lowering().buffer(pd.dst_desc());
    const auto weights = lowering().reordered(weights_.value, pd.weights_desc());
    lowering().emit(named(".forward"),
                    dnnl::inner_product_forward(pd),
                    pd.scratchpad_desc(),
                    {{DNNL_ARG_SRC, source_},
                     {DNNL_ARG_WEIGHTS, weights},
                     {DNNL_ARG_BIAS, bias_.value},
                     {DNNL_ARG_DST, output_}});
    forward_ = pd;
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto inner =
        context().relu
            ? relu_backward(lowering(), named(".relu_backward"), output_, gradient, context().relu6)
            : gradient;
    backward_weights(inner.tensor);
    return {context().input_gradient ? backward_data(inner.tensor) : Gradient{}};
  }

 private:
  [[nodiscard]] memory::desc dense(const memory::dims& dims) const {
    return with_type(plain(dims), lowering().type());
  }

  Tensor flattened(const Tensor& input) {
    input_dims_ = input.desc().dims();
    auto source = lowering().reordered(input, dense(input_dims_));
    if (source.buffer < 0) {  // the caller's images have no planned buffer to take a view of
      source = lowering().buffer(dense(input_dims_));
      lowering().copy(input, source);
    }
    const auto features = std::accumulate(
        input_dims_.begin() + 1, input_dims_.end(), memory::dim{1}, std::multiplies<>());
    return lowering().view(source, dense({input_dims_[0], features}));
  }

  [[nodiscard]] memory::desc any(const memory::dims& dims) const {
    return any_layout(dims, lowering().type());
  }

  [[nodiscard]] dnnl::inner_product_forward::primitive_desc forward_description() const {
    const auto kind =
        lowering().training() ? prop_kind::forward_training : prop_kind::forward_inference;
    return {
        {kind, any(source_dims_), any(weight_dims_), plain({layer().out.c}), any(output_dims_)},
        context().relu ? lowering().attributes_with_relu(context().relu6) : lowering().attributes(),
        lowering().engine()};
  }

  void add_parameters(const dnnl::inner_product_forward::primitive_desc& pd) {
    const auto fan_in = source_dims_[1];
    // As in a convolution; a classifier has no ReLU to make up for (LeCun et al., 1998).
    const float gain = context().relu ? 2.0F : 1.0F;
    const float deviation = std::sqrt(gain / static_cast<float>(fan_in));
    weights_ = context().parameters.add(
        lowering(), named(".weights"), pd.weights_desc(), {0, deviation}, true);
    bias_ = context().parameters.add(lowering(), named(".bias"), plain({layer().out.c}), {}, false);
  }

  Gradient backward_data(const Tensor& gradient) {
    const dnnl::inner_product_backward_data::primitive_desc pd(
        {any(source_dims_), any(weight_dims_), any(output_dims_)},
        lowering().attributes(),
        lowering().engine(),
        *forward_);
    const auto arriving = lowering().reordered(gradient, pd.diff_dst_desc());
    const auto weights = lowering().reordered(weights_.value, pd.weights_desc());
    const auto result = lowering().buffer(pd.diff_src_desc());
    lowering().emit(
        named(".backward_data"),
        dnnl::inner_product_backward_data(pd),
        pd.scratchpad_desc(),
        {{DNNL_ARG_DIFF_DST, arriving}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DIFF_SRC, result}});
    const auto flat = lowering().reordered(result, dense(source_dims_));
    return {lowering().view(flat, dense(input_dims_))};
  }

  void backward_weights(const Tensor& gradient) {
    const dnnl::inner_product_backward_weights::primitive_desc pd(
        {any(source_dims_),
         any_layout(weight_dims_, memory::data_type::f32),
         plain({layer().out.c}),
         any(output_dims_)},
        lowering().attributes(),
        lowering().engine(),
        *forward_);
    const bool direct = pd.diff_weights_desc() == weights_.gradient.desc();
    const auto target = direct ? weights_.gradient : lowering().buffer(pd.diff_weights_desc());
    const auto source = lowering().reordered(source_, pd.src_desc());
    const auto arriving = lowering().reordered(gradient, pd.diff_dst_desc());
    lowering().emit(named(".backward_weights"),
                    dnnl::inner_product_backward_weights(pd),
                    pd.scratchpad_desc(),
                    {{DNNL_ARG_SRC, source},
                     {DNNL_ARG_DIFF_DST, arriving},
                     {DNNL_ARG_DIFF_WEIGHTS, target},
                     {DNNL_ARG_DIFF_BIAS, bias_.gradient}});
    if (!direct) {
      lowering().copy(target, weights_.gradient);
    }
  }

  memory::dims input_dims_, source_dims_, output_dims_, weight_dims_;
  std::optional<dnnl::inner_product_forward::primitive_desc> forward_;
  Parameter weights_, bias_;
  Tensor source_, output_;
};

}  // namespace

std::unique_ptr<Operation> make_inner_product(const OperationContext& context) {
  return std::make_unique<InnerProduct>(context);
}

}  // namespace rightsize::cpu
