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
    case Activation::hard_sigmoid:
      break;  // has a class of its own
    case Activation::hard_swish:
      return algorithm::eltwise_hardswish;
    case Activation::leaky_relu:
      return algorithm::eltwise_relu;
    case Activation::elu:
      return algorithm::eltwise_elu;
    case Activation::squared_relu:
      break;  // has a class of its own
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
    forward_ = element_wise(lowering().running(),
                            prop_kind::forward_training,
                            algorithm_of(function()),
                            input_.desc(),
                            alpha(),
                            beta());
    output_ = lowering().buffer(input_.desc());
    lowering().emit(named(".forward"),
                    dnnl::eltwise_forward(*forward_),
                    forward_->scratchpad_desc(),
                    {{DNNL_ARG_SRC, input_}, {DNNL_ARG_DST, output_}});
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto desc = input_.desc();
    const auto pd = element_wise_backward(
        lowering().running(), *forward_, algorithm_of(function()), desc, alpha(), beta());
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
  [[nodiscard]] Activation function() const { return layer().activation; }
  // silu is x sigmoid(1 x), hard swish by version 3 x min(max(x / 6 + 1 / 2, 0), 1); those that
  // have no such parameter leave it unread.
  [[nodiscard]] float beta() const { return function() == Activation::hard_swish ? 0.5F : 0; }
  [[nodiscard]] float alpha() const {
    if (function() == Activation::hard_swish) {
      return 1.0F / 6;
    }
    const bool own = function() == Activation::leaky_relu || function() == Activation::elu;
    return own ? layer().activation_alpha : 1;
  }

  std::optional<dnnl::eltwise_forward::primitive_desc> forward_;
  Tensor input_, output_;
};

// min(max(x / 6 + 1 / 2, 0), 1), which oneDNN has in two parts: a line, and a clip that tells
// its derivative from what it left.
class HardSigmoid final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto input =
        lowering().reordered(inputs[0], with_type(inputs[0].desc(), lowering().type()));
    output_ = lowering().buffer(input.desc());
    if (DNNL_VERSION_MAJOR >= 3) {  // whose element-wise functions end in no other
      emit_line(".forward", input, output_, 0.5F, lowering().attributes());
      emit_clip();
      return output_;
    }
    auto attributes = lowering().attributes();
    dnnl::post_ops clip;
    append_element_wise(clip, algorithm::eltwise_clip, 0, 1);
    attributes.set_post_ops(clip);
    emit_line(".forward", input, output_, 0.5F, attributes);
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto desc = output_.desc();
    constexpr auto clip = algorithm::eltwise_clip_v2_use_dst_for_bwd;
    const auto running = lowering().running();
    const auto forward = element_wise(running, prop_kind::forward_training, clip, desc, 0, 1);
    const auto pd = element_wise_backward(running, forward, clip, desc, 0, 1);
    const auto arriving = lowering().reordered(gradient.tensor, desc);
    const auto result = lowering().buffer(desc);
    lowering().emit(
        named(".backward_clip"),
        dnnl::eltwise_backward(pd),
        pd.scratchpad_desc(),
        {{DNNL_ARG_DST, output_}, {DNNL_ARG_DIFF_DST, arriving}, {DNNL_ARG_DIFF_SRC, result}});
    emit_line(".backward", result, result, 0, lowering().attributes());
    return {{result}};
  }

 private:
  // Of the output, where it lies.
  void emit_clip() {
    const auto pd = element_wise(lowering().running(),
                                 prop_kind::forward_inference,
                                 algorithm::eltwise_clip,
                                 output_.desc(),
                                 0,
                                 1);
    lowering().emit(named(".forward_clip"),
                    dnnl::eltwise_forward(pd),
                    pd.scratchpad_desc(),
                    {{DNNL_ARG_SRC, output_}, {DNNL_ARG_DST, output_}});
  }

  void emit_line(const char* suffix,
                 const Tensor& from,
                 const Tensor& to,
                 float summand,
                 const dnnl::primitive_attr& attributes) {
    constexpr float slope = 1.0F / 6;
    const auto pd = element_wise({attributes, lowering().engine()},
                                 prop_kind::forward_inference,
                                 algorithm::eltwise_linear,
                                 from.desc(),
                                 slope,
                                 summand);
    lowering().emit(named(suffix),
                    dnnl::eltwise_forward(pd),
                    pd.scratchpad_desc(),
                    {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}});
  }

  Tensor output_;
};

// max(x, 0)^2, which oneDNN has in two parts. The derivative is 2 max(x, 0), the square's at what
// the ReLU left, which alone is kept.
class SquaredRelu final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto input =
        lowering().reordered(inputs[0], with_type(inputs[0].desc(), lowering().type()));
    positive_ = lowering().buffer(input.desc());
    emit(".forward_relu", algorithm::eltwise_relu, input, positive_);
    const auto output = lowering().buffer(input.desc());
    emit(".forward", algorithm::eltwise_square, positive_, output);
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto desc = positive_.desc();
    constexpr auto square = algorithm::eltwise_square;
    const auto running = lowering().running();
    const auto forward = element_wise(running, prop_kind::forward_training, square, desc, 0, 0);
    const auto pd = element_wise_backward(running, forward, square, desc, 0, 0);
    const auto arriving = lowering().reordered(gradient.tensor, desc);
    const auto result = lowering().buffer(desc);
    lowering().emit(
        named(".backward"),
        dnnl::eltwise_backward(pd),
        pd.scratchpad_desc(),
        {{DNNL_ARG_SRC, positive_}, {DNNL_ARG_DIFF_DST, arriving}, {DNNL_ARG_DIFF_SRC, result}});
    return {{result}};
  }

 private:
  void emit(const char* suffix, algorithm function, const Tensor& from, const Tensor& to) {
    const auto pd = element_wise(
        lowering().running(), prop_kind::forward_training, function, from.desc(), 0, 0);
    lowering().emit(named(suffix),
                    dnnl::eltwise_forward(pd),
                    pd.scratchpad_desc(),
                    {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}});
  }

  Tensor positive_;
};

}  // namespace

std::unique_ptr<Operation> make_activation(const OperationContext& context) {
  switch (context.layer.activation) {
    case Activation::relu6:
      return make_relu(context);
    case Activation::hard_sigmoid:
      return std::make_unique<HardSigmoid>(context);
    case Activation::squared_relu:
      return std::make_unique<SquaredRelu>(context);
    default:
      return std::make_unique<ElementWise>(context);
  }
}

}  // namespace rightsize::cpu
