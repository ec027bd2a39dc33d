#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

using dnnl::algorithm;
using dnnl::prop_kind;

algorithm kind(bool relu6) {
  return relu6 ? algorithm::eltwise_clip_v2_use_dst_for_bwd
               : algorithm::eltwise_relu_use_dst_for_bwd;
}

// Where a ReLU6 stops; a ReLU has no such parameter.
float beta(bool relu6) {
  return relu6 ? 6.0F : 0.0F;
}

dnnl::eltwise_forward::primitive_desc description(const Lowering& lowering,
                                                  const dnnl::memory::desc& data,
                                                  bool relu6) {
  return element_wise(
      lowering.running(), prop_kind::forward_training, kind(relu6), data, 0.0F, beta(relu6));
}

// A ReLU or ReLU6 that could not be fused into the operation before it.
class Relu final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto pd = description(lowering(), inputs[0].desc(), relu6());
    output_ = lowering().buffer(inputs[0].desc());
    lowering().emit(named(".forward"),
                    dnnl::eltwise_forward(pd),
                    pd.scratchpad_desc(),
                    {{DNNL_ARG_SRC, inputs[0]}, {DNNL_ARG_DST, output_}});
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    return {relu_backward(lowering(), named(".backward"), output_, gradient, relu6())};
  }

 private:
  [[nodiscard]] bool relu6() const { return layer().kind == LayerKind::activation; }

  Tensor output_;
};

}  // namespace

std::unique_ptr<Operation> make_relu(const OperationContext& context) {
  return std::make_unique<Relu>(context);
}

Gradient relu_backward(Lowering& lowering,
                       const std::string& name,
                       const Tensor& output,
                       const Gradient& gradient,
                       bool relu6) {
  const auto desc = output.desc();
  const auto pd = element_wise_backward(
      lowering.running(), description(lowering, desc, relu6), kind(relu6), desc, 0.0F, beta(relu6));
  const auto arriving = lowering.reordered(gradient.tensor, desc);
  const bool in_place = gradient.exclusive || arriving.buffer != gradient.tensor.buffer;
  const auto result = in_place ? arriving : lowering.buffer(desc);
  lowering.emit(
      name,
      dnnl::eltwise_backward(pd),
      pd.scratchpad_desc(),
      {{DNNL_ARG_DST, output}, {DNNL_ARG_DIFF_DST, arriving}, {DNNL_ARG_DIFF_SRC, result}});
  return {result};
}

}  // namespace rightsize::cpu
