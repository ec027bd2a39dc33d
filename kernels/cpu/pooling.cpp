// Maximum and average pooling. An average divides by the whole window where padding is counted,
// `more_pad` included: Caffe's and PyTorch's windows that reach past the padded input because sizes
// are rounded up would divide by less. Where it is not counted, by the positions inside the image.
#include <optional>

#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::prop_kind;

class Pooling final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto& source = inputs[0];
    const auto& l = layer();
    source_desc_ = source.desc();
    const memory::dims out{dims_of(source_desc_)[0], l.out.c, l.out.h, l.out.w};
    forward_ = cpu::pooling(
        lowering().running(),
        lowering().training() ? prop_kind::forward_training : prop_kind::forward_inference,
        kind(),
        source_desc_,
        any_layout(out, lowering().type()),
        windows());
    const auto output = lowering().buffer(forward_->dst_desc());
    Arguments arguments{{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, output}};
    if (forward_->workspace_desc().get_size() > 0) {  // where each maximum came from
      workspace_ = lowering().buffer(forward_->workspace_desc());
      arguments.emplace_back(DNNL_ARG_WORKSPACE, workspace_);
    }
    lowering().emit(named(".forward"),
                    dnnl::pooling_forward(*forward_),
                    forward_->scratchpad_desc(),
                    std::move(arguments));
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto pd =
        pooling_backward(lowering().running(), *forward_, kind(), source_desc_, windows());
    const auto arriving = lowering().reordered(gradient.tensor, pd.diff_dst_desc());
    const auto result = lowering().buffer(pd.diff_src_desc());
    Arguments arguments{{DNNL_ARG_DIFF_DST, arriving}, {DNNL_ARG_DIFF_SRC, result}};
    if (workspace_) {
      arguments.emplace_back(DNNL_ARG_WORKSPACE, workspace_);
    }
    lowering().emit(
        named(".backward"), dnnl::pooling_backward(pd), pd.scratchpad_desc(), std::move(arguments));
    return {{result}};
  }

 private:
  [[nodiscard]] Windows windows() const {
    const auto& l = layer();
    return {{l.stride_h, l.stride_w},
            {l.kernel_h, l.kernel_w},
            {l.pad_h, l.pad_w},
            {l.pad_h + l.more_pad_h, l.pad_w + l.more_pad_w}};
  }

  [[nodiscard]] algorithm kind() const {
    if (layer().kind == LayerKind::max_pool) {
      return algorithm::pooling_max;
    }
    return layer().count_padding ? algorithm::pooling_avg_include_padding
                                 : algorithm::pooling_avg_exclude_padding;
  }

  memory::desc source_desc_;
  std::optional<dnnl::pooling_forward::primitive_desc> forward_;
  Tensor workspace_;
};

}  // namespace

std::unique_ptr<Operation> make_pooling(const OperationContext& context) {
  return std::make_unique<Pooling>(context);
}

}  // namespace rightsize::cpu
