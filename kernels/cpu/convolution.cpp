#include <cmath>
#include <optional>

#include "kernels/cpu/data_gradient.h"
#include "kernels/cpu/norm_parameters.h"
#include "kernels/cpu/operation.h"
#include "kernels/pooled_growth.h"

namespace rightsize::cpu {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::prop_kind;

// A batch normalisation with known statistics is y = factor x + offset per channel.
void normalisation_as_line(const NormParameters& norm,
                           float epsilon,
                           const Tensor& factors,
                           const Tensor& offsets) {
  const auto channels = dims_of(norm.mean.desc())[0];
  for (std::int64_t c = 0; c < channels; ++c) {
    const float factor = norm.scale.value.data()[c] / std::sqrt(norm.variance.data()[c] + epsilon);
    factors.data()[c] = factor;
    offsets.data()[c] = norm.shift.value.data()[c] - factor * norm.mean.data()[c];
  }
}

// At inference it may go on with a batch normalisation, a sum with a second input, whose memory it
// takes over, and a ReLU, all while the result is still in registers. The normalisation is applied
// to the result and not multiplied into the weights: that keeps every parameter as it was set, in
// one copy, for 4 % of a convolution's time on average over ResNet-50's shapes.
class Convolution final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    describe(dims_of(inputs[0].desc()));
    const bool adds = inputs.size() > 1;
    const auto pd = forward_description(adds);
    add_parameters(pd);
    const auto source = lowering().reordered(inputs[0], pd.src_desc());
    output_ =
        adds ? lowering().reordered(inputs[1], pd.dst_desc()) : lowering().buffer(pd.dst_desc());
    Arguments arguments{{DNNL_ARG_SRC, source},
                        {DNNL_ARG_WEIGHTS, lowering().reordered(weights_.value, pd.weights_desc())},
                        {DNNL_ARG_DST, output_}};
    if (layer().bias) {
      arguments.emplace_back(DNNL_ARG_BIAS, bias_.value);
    }
    if (context().norm != nullptr) {
      emit_normalisation(arguments);
    }
    lowering().emit(named(".forward"),
                    dnnl::convolution_forward(pd),
                    pd.scratchpad_desc(),
                    std::move(arguments));
    source_ = source;
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
  void describe(const memory::dims& in) {
    const auto& l = layer();
    const auto groups = l.groups;
    source_dims_ = in;
    output_dims_ = {in[0], l.out.c, l.out.h, l.out.w};
    weight_dims_ =
        groups == 1
            ? memory::dims{l.out.c, in[1], l.kernel_h, l.kernel_w}
            : memory::dims{groups, l.out.c / groups, in[1] / groups, l.kernel_h, l.kernel_w};
    strides_ = {l.stride_h, l.stride_w};
    dilates_ = {l.dilation_h - 1, l.dilation_w - 1};
    padding_ = {l.pad_h, l.pad_w};
    padding_after_ = {l.pad_h + l.more_pad_h, l.pad_w + l.more_pad_w};
  }

  [[nodiscard]] memory::desc any(const memory::dims& dims) const {
    return any_layout(dims, lowering().type());
  }

  [[nodiscard]] memory::desc bias_desc() const {
    return layer().bias ? plain({layer().out.c}) : memory::desc();
  }

  [[nodiscard]] dnnl::memory::desc per_channel() const {
    return {{1, layer().out.c, 1, 1}, memory::data_type::f32, memory::format_tag::nchw};
  }

  // In the order in which they are applied.
  [[nodiscard]] dnnl::primitive_attr endings(bool adds) const {
    dnnl::post_ops endings;
    if (context().norm != nullptr) {
      endings.append_binary(algorithm::binary_mul, per_channel());
      endings.append_binary(algorithm::binary_add, per_channel());
    }
    if (adds) {
      endings.append_sum(1.0F);
    }
    if (context().relu) {
      append_relu(endings, context().relu6);
    }
    auto attributes = lowering().attributes();
    attributes.set_post_ops(endings);
    return attributes;
  }

  void emit_normalisation(Arguments& arguments) {
    const auto& layer = *context().norm;
    const auto norm = add_norm_parameters(context().parameters, lowering(), layer);
    const auto factors = lowering().buffer(per_channel());
    const auto offsets = lowering().buffer(per_channel());
    lowering().emit(
        layer.name + ".forward",
        [=, epsilon = layer.epsilon] { normalisation_as_line(norm, epsilon, factors, offsets); },
        {norm.scale.value, norm.shift.value, norm.mean, norm.variance, factors, offsets});
    arguments.emplace_back(DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, factors);
    arguments.emplace_back(DNNL_ARG_ATTR_MULTIPLE_POST_OP(1) | DNNL_ARG_SRC_1, offsets);
  }

  [[nodiscard]] dnnl::convolution_forward::primitive_desc forward_description(bool adds) const {
    const auto kind =
        lowering().training() ? prop_kind::forward_training : prop_kind::forward_inference;
    return implemented<dnnl::convolution_forward>({endings(adds), lowering().engine()},
                                                  kind,
                                                  algorithm::convolution_direct,
                                                  any(source_dims_),
                                                  any(weight_dims_),
                                                  bias_desc(),
                                                  any(output_dims_),
                                                  strides_,
                                                  dilates_,
                                                  padding_,
                                                  padding_after_);
  }

  // He et al., ICCV 2015: noise of variance 2 / fan-in keeps the signal's size through ReLUs; what
  // max pools added to it is taken back (pooled_growth.h).
  void add_parameters(const dnnl::convolution_forward::primitive_desc& pd) {
    const auto& l = layer();
    if (l.tied_to >= 0) {
      return share_parameters();
    }
    const auto fan_in = source_dims_[1] / l.groups * l.kernel_h * l.kernel_w;
    const auto gain = static_cast<float>(2 / pooled_growth(context().network, l));
    const float deviation = std::sqrt(gain / static_cast<float>(fan_in));
    weights_ = context().parameters.add(
        lowering(), named(".weights"), pd.weights_desc(), {0, deviation}, true);
    if (l.bias) {
      bias_ = context().parameters.add(lowering(), named(".bias"), bias_desc(), {}, false);
    }
  }

  void share_parameters() {
    const auto& owner = context().network.layers.at(static_cast<std::size_t>(layer().tied_to));
    weights_ = context().parameters.find(owner.name + ".weights");
    if (layer().bias) {
      bias_ = context().parameters.find(owner.name + ".bias");
    }
  }

  Gradient backward_data(const Tensor& gradient) {
    const auto pd =
        implemented_backward<dnnl::convolution_backward_data>(lowering().running(),
                                                              *forward_,
                                                              algorithm::convolution_direct,
                                                              any(source_dims_),
                                                              any(weight_dims_),
                                                              any(output_dims_),
                                                              strides_,
                                                              dilates_,
                                                              padding_,
                                                              padding_after_);
    return emit_data_gradient<dnnl::convolution_backward_data>(
        lowering(), named(".backward_data"), pd, gradient, weights_.value);
  }

  void backward_weights(const Tensor& gradient) {
    const auto pd = implemented_backward<dnnl::convolution_backward_weights>(
        lowering().running(),
        *forward_,
        algorithm::convolution_direct,
        any(source_dims_),
        any_layout(weight_dims_, memory::data_type::f32),
        bias_desc(),
        any(output_dims_),
        strides_,
        dilates_,
        padding_,
        padding_after_);
    const bool first = context().parameters.starts_gradient(weights_.name);
    const bool direct = first && pd.diff_weights_desc() == weights_.gradient.desc();
    const auto target = direct ? weights_.gradient : lowering().buffer(pd.diff_weights_desc());
    const auto of_bias = first || !layer().bias ? bias_.gradient : lowering().buffer(bias_desc());
    Arguments arguments{{DNNL_ARG_SRC, lowering().reordered(source_, pd.src_desc())},
                        {DNNL_ARG_DIFF_DST, lowering().reordered(gradient, pd.diff_dst_desc())},
                        {DNNL_ARG_DIFF_WEIGHTS, target}};
    if (layer().bias) {
      arguments.emplace_back(DNNL_ARG_DIFF_BIAS, of_bias);
    }
    lowering().emit(named(".backward_weights"),
                    dnnl::convolution_backward_weights(pd),
                    pd.scratchpad_desc(),
                    std::move(arguments));
    if (!first) {
      add_to_shared(target, of_bias);
    } else if (!direct) {
      lowering().copy(target, weights_.gradient);
    }
  }

  // Onto what layers with the same parameters have left there.
  void add_to_shared(const Tensor& of_weights, const Tensor& of_bias) {
    const auto add = [&](const Tensor& part, const Tensor& sum) {
      static_cast<void>(add_gradients(lowering(), {part, false}, {sum, true}));
    };
    add(of_weights, weights_.gradient);
    if (layer().bias) {
      add(of_bias, bias_.gradient);
    }
  }

  memory::dims source_dims_, output_dims_, weight_dims_;
  memory::dims strides_, dilates_, padding_, padding_after_;
  std::optional<dnnl::convolution_forward::primitive_desc> forward_;
  Parameter weights_, bias_;
  Tensor source_, output_;
};

}  // namespace

std::unique_ptr<Operation> make_convolution(const OperationContext& context) {
  return std::make_unique<Convolution>(context);
}

}  // namespace rightsize::cpu
