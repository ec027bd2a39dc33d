// Element-wise product of two inputs; the second may hold one value per channel (a gate, as in Hu
// et al., "Squeeze-and-Excitation Networks", CVPR 2018). By the product rule each gradient is the
// arriving one times the other factor, summed over the positions that share a gate.
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

using dnnl::algorithm;
using dnnl::memory;

class Multiply final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    a_ = typed(inputs[0]);
    b_ = with_rank(lowering(), typed(inputs[1]), a_.desc().dims().size());
    b_dims_ = inputs[1].desc().dims();
    if (b_.desc().dims() == a_.desc().dims()) {
      b_ = lowering().reordered(b_, a_.desc());
    }
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
    if (a_.desc().dims() == b_.desc().dims()) {
      return {{by_a}, {with_rank(lowering(), by_b, b_dims_.size())}};
    }
    const auto sum = lowering().reordered(summed(by_b), dense(b_.desc().dims()));
    return {{by_a}, {lowering().view(sum, dense(b_dims_))}};
  }

 private:
  Tensor typed(const Tensor& input) {
    return lowering().reordered(input, with_type(input.desc(), lowering().type()));
  }

  [[nodiscard]] memory::desc dense(const memory::dims& dims) const {
    return with_type(plain(dims), lowering().type());
  }

  void emit(std::string name, const Tensor& a, const Tensor& b, const Tensor& to) {
    const dnnl::binary::primitive_desc pd({algorithm::binary_mul, a.desc(), b.desc(), to.desc()},
                                          lowering().attributes(),
                                          lowering().engine());
    lowering().emit(std::move(name),
                    dnnl::binary(pd),
                    pd.scratchpad_desc(),
                    {{DNNL_ARG_SRC_0, a}, {DNNL_ARG_SRC_1, b}, {DNNL_ARG_DST, to}});
  }

  Tensor summed(const Tensor& products) {
    const auto result = lowering().buffer(b_.desc());
    const dnnl::reduction::primitive_desc pd(
        {algorithm::reduction_sum, products.desc(), result.desc(), 0.0F, 0.0F},
        lowering().attributes(),
        lowering().engine());
    lowering().emit(named(".backward_sum"),
                    dnnl::reduction(pd),
                    pd.scratchpad_desc(),
                    {{DNNL_ARG_SRC, products}, {DNNL_ARG_DST, result}});
    return result;
  }

  Tensor a_, b_;
  memory::dims b_dims_;
};

}  // namespace

std::unique_ptr<Operation> make_multiply(const OperationContext& context) {
  return std::make_unique<Multiply>(context);
}

}  // namespace rightsize::cpu
