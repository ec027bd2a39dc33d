// An image enlarged linearly between neighbours, by oneDNN: the middle of a position lies in the
// middle of what it becomes, and beyond the outermost middles nothing changes.
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

using dnnl::algorithm;

class Interpolation final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto& out = layer().out;
    const auto kind = lowering().training() ? dnnl::prop_kind::forward_training
                                            : dnnl::prop_kind::forward_inference;
    const auto source =
        lowering().reordered(inputs[0], with_type(inputs[0].desc(), lowering().type()));
    small_ = source.desc();
    forward_ = implemented<dnnl::resampling_forward>(
        lowering().running(),
        kind,
        algorithm::resampling_linear,
        small_,
        any_layout({dims_of(small_)[0], out.c, out.h, out.w}, lowering().type()));
    const auto output = lowering().buffer(forward_.dst_desc());
    lowering().emit(named(".forward"),
                    dnnl::resampling_forward(forward_),
                    forward_.scratchpad_desc(),
                    {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, output}});
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = lowering().reordered(gradient.tensor, forward_.dst_desc());
    const auto pd = implemented_backward<dnnl::resampling_backward>(
        lowering().running(), forward_, algorithm::resampling_linear, small_, arriving.desc());
    const auto result = lowering().buffer(pd.diff_src_desc());
    lowering().emit(named(".backward"),
                    dnnl::resampling_backward(pd),
                    pd.scratchpad_desc(),
                    {{DNNL_ARG_DIFF_DST, arriving}, {DNNL_ARG_DIFF_SRC, result}});
    return {{result}};
  }

 private:
  dnnl::memory::desc small_;
  dnnl::resampling_forward::primitive_desc forward_;
};

}  // namespace

std::unique_ptr<Operation> make_interpolation(const OperationContext& context) {
  return std::make_unique<Interpolation>(context);
}

}  // namespace rightsize::cpu
