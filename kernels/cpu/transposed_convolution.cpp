// Each position becomes a window, and windows lie side by side: out at (y k + i, x k + j) is the
// product of what is at (y, x) with the matrix of (i, j). By oneDNN's deconvolution.
#include <cmath>
#include <optional>

#include "kernels/cpu/data_gradient.h"
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

using dnnl::algorithm;
using dnnl::memory;

class TransposedConvolution final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    describe(dims_of(inputs[0].desc()));
    const auto kind = lowering().training() ? dnnl::prop_kind::forward_training
                                            : dnnl::prop_kind::forward_inference;
    forward_ = implemented<dnnl::deconvolution_forward>(lowering().running(),
                                                        kind,
                                                        algorithm::deconvolution_direct,
                                                        any(source_dims_),
                                                        any(weight_dims_),
                                                        bias_desc(),
                                                        any(output_dims_),
                                                        strides_,
                                                        none_,
                                                        none_);
    add_parameters();
    source_ = lowering().reordered(inputs[0], forward_->src_desc());
    const auto output = lowering().buffer(forward_->dst_desc());
    Arguments arguments{
        {DNNL_ARG_SRC, source_},
        {DNNL_ARG_WEIGHTS, lowering().reordered(weights_.value, forward_->weights_desc())},
        {DNNL_ARG_DST, output}};
    if (layer().bias) {
      arguments.emplace_back(DNNL_ARG_BIAS, bias_.value);
    }
    lowering().emit(named(".forward"),
                    dnnl::deconvolution_forward(*forward_),
                    forward_->scratchpad_desc(),
                    std::move(arguments));
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    backward_weights(gradient.tensor);
    return {context().input_gradient ? backward_data(gradient.tensor) : Gradient{}};
  }

 private:
  void describe(const memory::dims& in) {
    const auto& l = layer();
    source_dims_ = in;
    output_dims_ = {in[0], l.out.c, l.out.h, l.out.w};
    weight_dims_ = {l.out.c, in[1], l.kernel_h, l.kernel_w};
    strides_ = {l.stride_h, l.stride_w};
  }

  [[nodiscard]] memory::desc any(const memory::dims& dims) const {
    return any_layout(dims, lowering().type());
  }

  [[nodiscard]] memory::desc bias_desc() const {
    return layer().bias ? plain({layer().out.c}) : memory::desc();
  }

  // No ReLU follows, whose halving would have to be made up for (LeCun et al., 1998).
  void add_parameters() {
    const float deviation = std::sqrt(1 / static_cast<float>(source_dims_[1]));
    weights_ = context().parameters.add(
        lowering(), named(".weights"), forward_->weights_desc(), {0, deviation}, true);
    if (layer().bias) {
      bias_ = context().parameters.add(lowering(), named(".bias"), bias_desc(), {}, false);
    }
  }

  Gradient backward_data(const Tensor& gradient) {
    const auto pd =
        implemented_backward<dnnl::deconvolution_backward_data>(lowering().running(),
                                                                *forward_,
                                                                algorithm::deconvolution_direct,
                                                                any(source_dims_),
                                                                any(weight_dims_),
                                                                any(output_dims_),
                                                                strides_,
                                                                none_,
                                                                none_);
    return emit_data_gradient<dnnl::deconvolution_backward_data>(
        lowering(), named(".backward_data"), pd, gradient, weights_.value);
  }

  void backward_weights(const Tensor& gradient) {
    const auto pd = implemented_backward<dnnl::deconvolution_backward_weights>(
        lowering().running(),
        *forward_,
        algorithm::deconvolution_direct,
        any(source_dims_),
        any_layout(weight_dims_, memory::data_type::f32),
        bias_desc(),
        any(output_dims_),
        strides_,
        none_,
        none_);
    const bool direct = pd.diff_weights_desc() == weights_.gradient.desc();
    const auto target = direct ? weights_.gradient : lowering().buffer(pd.diff_weights_desc());
    Arguments arguments{{DNNL_ARG_SRC, lowering().reordered(source_, pd.src_desc())},
                        {DNNL_ARG_DIFF_DST, lowering().reordered(gradient, pd.diff_dst_desc())},
                        {DNNL_ARG_DIFF_WEIGHTS, target}};
    if (layer().bias) {
      arguments.emplace_back(DNNL_ARG_DIFF_BIAS, bias_.gradient);
    }
    lowering().emit(named(".backward_weights"),
                    dnnl::deconvolution_backward_weights(pd),
                    pd.scratchpad_desc(),
                    std::move(arguments));
    if (!direct) {
      lowering().copy(target, weights_.gradient);
    }
  }

  memory::dims source_dims_, output_dims_, weight_dims_, strides_;
  const memory::dims none_{0, 0};  // padding
  std::optional<dnnl::deconvolution_forward::primitive_desc> forward_;
  Parameter weights_, bias_;
  Tensor source_;
};

}  // namespace

std::unique_ptr<Operation> make_transposed_convolution(const OperationContext& context) {
  return std::make_unique<TransposedConvolution>(context);
}

}  // namespace rightsize::cpu
