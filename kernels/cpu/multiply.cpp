// Element-wise product of two inputs of one shape; by the product rule each gradient is the
// arriving one times the other factor. A second input of one value per channel is
// per_channel.cpp's.
#include "kernels/cpu/fusion.h"
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

using dnnl::algorithm;

class Multiply final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    a_ = typed(inputs[0]);
    b_rank_ = dims_of(inputs[1].desc()).size();
    b_ = lowering().reordered(with_rank(lowering(), typed(inputs[1]), dims_of(a_.desc()).size()),
                              a_.desc());
    const auto output = lowering().buffer(a_.desc());
    emit(named(".forward"), a_, b_, output);
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = lowering().reordered(gradient.tensor, a_.desc());
    const auto by_a = lowering().buffer(a_.desc());
    emit(named(".backward_first"), arriving, b_, by_a);
    const auto by_b = lowering().buffer(a_.desc());
    emit(named(".backward_second"), arriving, a_, by_b);
    return {{by_a}, {with_rank(lowering(), by_b, b_rank_)}};
  }

 private:
  Tensor typed(const Tensor& input) {
    return lowering().reordered(input, with_type(input.desc(), lowering().type()));
  }

  void emit(std::string name, const Tensor& a, const Tensor& b, const Tensor& to) {
    const auto pd = implemented<dnnl::binary>(
        lowering().running(), algorithm::binary_mul, a.desc(), b.desc(), to.desc());
    lowering().emit(std::move(name),
                    dnnl::binary(pd),
                    pd.scratchpad_desc(),
                    {{DNNL_ARG_SRC_0, a}, {DNNL_ARG_SRC_1, b}, {DNNL_ARG_DST, to}});
  }

  Tensor a_, b_;
  std::size_t b_rank_ = 0;
};

}  // namespace

std::unique_ptr<Operation> make_multiply(const OperationContext& context) {
  if (is_per_channel(context.network.layers, context.layer)) {
    return make_per_channel(context);
  }
  return std::make_unique<Multiply>(context);
}

}  // namespace rightsize::cpu
