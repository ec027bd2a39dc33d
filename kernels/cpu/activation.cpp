// The element-wise functions beside ReLU. Where the derivative can be told from the result, the
// result is kept and the input is not: sigmoid' = y (1 - y), tanh' = 1 - y^2.
#include <optional>

#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

using dnnl::algorithm;
using dnnl::prop_kind;

algorithm algorithm_of(Activation function) {
  switch (function) {
    case Activation::relu6:
      break;  // runs as a ReLU
    case Activation::sigmoid:
      return algorithm::eltwise_logistic_use_dst_for_bwd;
    case Activation::tanh:
      return algorithm::eltwise_tanh_use_dst_for_bwd;
    case Activation::gelu:
      return algorithm::eltwise_gelu_erf;
    case Activation::gelu_tanh:
      return algorithm::eltwise_gelu_tanh;
    case Activation::silu:
      return algorithm::eltwise_swish;
  }
  return algorithm::undef;
}

bool told_from_output(Activation function) {
  return function == Activation::sigmoid || function == Activation::tanh;
}

class ElementWise final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    input_ = lowering().reordered(inputs[0], with_type(inputs[0].desc(), lowering().type()));
    forward_.emplace(
        dnnl::eltwise_forward::desc(
            prop_kind::forward_training, algorithm_of(function()), input_.desc(), swish_slope, 0),
        lowering().attributes(),
        lowering().engine());
    output_ = lowering().buffer(input_.desc());
    lowering().emit(named(".forward"),
                    dnnl::eltwise_forward(*forward_),
                    forward_->scratchpad_desc(),
                    {{DNNL_ARG_SRC, input_}, {DNNL_ARG_DST, output_}});
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto desc = input_.desc();
    const dnnl::eltwise_backward::primitive_desc pd(
        {algorithm_of(function()), desc, desc, swish_slope, 0},
        lowering().attributes(),
        lowering().engine(),
        *forward_);
    const auto arriving = lowering().reordered(gradient.tensor, desc);
    const bool in_place = gradient.exclusive || arriving.buffer != gradient.tensor.buffer;
    const auto result = in_place ? arriving : lowering().buffer(desc);
    const bool from_output = told_from_output(function());
    lowering().emit(named(".backward"),
                    dnnl::eltwise_backward(pd),
                    pd.scratchpad_desc(),
                    {{from_output ? DNNL_ARG_DST : DNNL_ARG_SRC, from_output ? output_ : input_},
                     {DNNL_ARG_DIFF_DST, arriving},
                     {DNNL_ARG_DIFF_SRC, result}});
    return {{result}};
  }

 private:
  static constexpr float swish_slope = 1;  // x sigmoid(1 x); the others have no such parameter

  [[nodiscard]] Activation function() const { return layer().activation; }

  std::optional<dnnl::eltwise_forward::primitive_desc> forward_;
  Tensor input_, output_;
};

}  // namespace

std::unique_ptr<Operation> make_activation(const OperationContext& context) {
  return context.layer.activation == Activation::relu6 ? make_relu(context)
                                                       : std::make_unique<ElementWise>(context);
}

}  // namespace rightsize::cpu
