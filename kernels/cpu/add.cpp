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
  const dnnl::binary::primitive_desc pd(
      {dnnl::algorithm::binary_add, desc, desc, desc}, attributes, lowering.engine());
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
    count_ = inputs.size();
    auto first = inputs[0];
    for (std::size_t i = 1; i < count_; ++i) {
      const bool rectified = i + 1 == count_ && context().relu;
      // oneDNN 2.6.3 loses a sum that ends in a ReLU when it goes where its first term lies.
      if (i == 1 || rectified) {
        output_ = lowering().buffer(inputs[0].desc());
      }
      emit_sum(
          lowering(),
          named(".forward"),
          first,
          inputs[i],
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
    return std::vector<Gradient>(count_, Gradient{inner.tensor, false});
  }

 private:
  std::size_t count_ = 0;
  Tensor output_;
};

}  // namespace

std::unique_ptr<Operation> make_add(const OperationContext& context) {
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
