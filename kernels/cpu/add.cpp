#include "kernels/cpu/fusion.h"
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

// target = a + b in a's layout; target may be a's own buffer.
void emit_sum(Lowering& lowering,
              const std::string& name,
              const Tensor& a,
              const Tensor& b,
              const Tensor& target,
              const dnnl::primitive_attr& attributes) {
  const auto desc = a.desc();
  const auto pd = implemented<dnnl::binary>(
      {attributes, lowering.engine()}, dnnl::algorithm::binary_add, desc, desc, desc);
  lowering.emit(
      name,
      dnnl::binary(pd),
      pd.scratchpad_desc(),
      {{DNNL_ARG_SRC_0, a}, {DNNL_ARG_SRC_1, lowering.reordered(b, desc)}, {DNNL_ARG_DST, target}});
}

class Add final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto rank = dims_of(inputs[0].desc()).size();
    for (const auto& input : inputs) {
      ranks_.push_back(dims_of(input.desc()).size());
    }
    auto first = inputs[0];
    for (std::size_t i = 1; i < inputs.size(); ++i) {
      const bool rectified = i + 1 == inputs.size() && context().relu;
      // oneDNN 2.6.3 loses a sum that ends in a ReLU when it goes where its first term lies.
      if (i == 1 || rectified) {
        output_ = lowering().buffer(inputs[0].desc());
      }
      emit_sum(
          lowering(),
          named(".forward"),
          first,
          with_rank(lowering(), inputs[i], rank),
          output_,
          rectified ? lowering().attributes_with_relu(context().relu6) : lowering().attributes());
      first = output_;
    }
    return output_;
  }

  // A sum hands the same gradient to each of its inputs; none may overwrite it.
  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto inner =
        context().relu
            ? relu_backward(lowering(), named(".relu_backward"), output_, gradient, context().relu6)
            : gradient;
    std::vector<Gradient> gradients;
    for (const auto rank : ranks_) {
      gradients.push_back({with_rank(lowering(), inner.tensor, rank), false});
    }
    return gradients;
  }

 private:
  std::vector<std::size_t> ranks_;  // of the inputs
  Tensor output_;
};

}  // namespace

std::unique_ptr<Operation> make_add(const OperationContext& context) {
  if (is_per_channel(context.network.layers, context.layer)) {
    return make_per_channel(context);
  }
  return std::make_unique<Add>(context);
}

Gradient add_gradients(Lowering& lowering, const Gradient& a, const Gradient& b) {
  const auto& first = b.exclusive ? b : a;
  const auto& second = b.exclusive ? a : b;
  const auto target = first.exclusive ? first.tensor : lowering.buffer(first.tensor.desc());
  emit_sum(lowering, "add_gradients", first.tensor, second.tensor, target, lowering.attributes());
  return {target};
}

}  // namespace rightsize::cpu
