// Element-wise functions by oneDNN; the backward pass reads what the forward pass read.
#include <optional>

#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

using dnnl::algorithm;

struct Eltwise {
  algorithm kind = algorithm::undef;
  float alpha = 0;
  float beta = 0;
};

Eltwise eltwise(Activation function) {
  switch (function) {
    case Activation::relu6:
      return {algorithm::eltwise_clip, 0, 6};
    case Activation::sigmoid:
      return {algorithm::eltwise_logistic, 0, 0};
    case Activation::tanh:
      return {algorithm::eltwise_tanh, 0, 0};
    case Activation::gelu:
      return {algorithm::eltwise_gelu_erf, 0, 0};
    case Activation::gelu_tanh:
      return {algorithm::eltwise_gelu_tanh, 0, 0};
    case Activation::silu:
      return {algorithm::eltwise_swish, 1, 0};
  }
  return {};
}

class ActivationOperation final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    const auto function = eltwise(layer().activation);
    forward_.emplace(
        dnnl::eltwise_forward::desc(lowering().training() ? dnnl::prop_kind::forward_training
                                                          : dnnl::prop_kind::forward_inference,
                                    function.kind,
                                    source_.desc(),
                                    function.alpha,
                                    function.beta),
        lowering().attributes(),
        lowering().engine());
    const auto output = lowering().buffer(source_.desc());
    lowering().emit(named(".forward"),
                    dnnl::eltwise_forward(*forward_),
                    forward_->scratchpad_desc(),
                    {{DNNL_ARG_SRC, source_}, {DNNL_ARG_DST, output}});
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto desc = source_.desc();
    const auto function = eltwise(layer().activation);
    const dnnl::eltwise_backward::primitive_desc pd(
        {function.kind, desc, desc, function.alpha, function.beta},
        lowering().attributes(),
        lowering().engine(),
        *forward_);
    const auto arriving = lowering().reordered(gradient.tensor, desc);
    const bool in_place = gradient.exclusive || arriving.buffer != gradient.tensor.buffer;
    const auto result = in_place ? arriving : lowering().buffer(desc);
    lowering().emit(
        named(".backward"),
        dnnl::eltwise_backward(pd),
        pd.scratchpad_desc(),
        {{DNNL_ARG_SRC, source_}, {DNNL_ARG_DIFF_DST, arriving}, {DNNL_ARG_DIFF_SRC, result}});
    return {{result}};
  }

 private:
  std::optional<dnnl::eltwise_forward::primitive_desc> forward_;
  Tensor source_;
};

}  // namespace

std::unique_ptr<Operation> make_activation(const OperationContext& context) {
  return std::make_unique<ActivationOperation>(context);
}

}  // namespace rightsize::cpu
