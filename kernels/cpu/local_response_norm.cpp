#include <optional>

#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

using dnnl::algorithm;
using dnnl::prop_kind;

// oneDNN divides alpha by the size as Layer's formula does.
class LocalResponseNorm final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto& l = layer();
    source_ = inputs[0];
    forward_.emplace(dnnl::lrn_forward::desc(lowering().training() ? prop_kind::forward_training
                                                                   : prop_kind::forward_inference,
                                             algorithm::lrn_across_channels,
                                             source_.desc(),
                                             l.lrn_size,
                                             l.lrn_alpha,
                                             l.lrn_beta,
                                             l.lrn_k),
                     lowering().attributes(),
                     lowering().engine());
    const auto output = lowering().buffer(forward_->dst_desc());
    Arguments arguments{{DNNL_ARG_SRC, source_}, {DNNL_ARG_DST, output}};
    if (forward_->workspace_desc().get_size() > 0) {
      workspace_ = lowering().buffer(forward_->workspace_desc());
      arguments.emplace_back(DNNL_ARG_WORKSPACE, workspace_);
    }
    lowering().emit(named(".forward"),
                    dnnl::lrn_forward(*forward_),
                    forward_->scratchpad_desc(),
                    std::move(arguments));
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto& l = layer();
    const dnnl::lrn_backward::primitive_desc pd({algorithm::lrn_across_channels,
                                                 source_.desc(),
                                                 source_.desc(),
                                                 l.lrn_size,
                                                 l.lrn_alpha,
                                                 l.lrn_beta,
                                                 l.lrn_k},
                                                lowering().attributes(),
                                                lowering().engine(),
                                                *forward_);
    const auto arriving = lowering().reordered(gradient.tensor, pd.diff_dst_desc());
    const auto result = lowering().buffer(pd.diff_src_desc());
    Arguments arguments{
        {DNNL_ARG_SRC, source_}, {DNNL_ARG_DIFF_DST, arriving}, {DNNL_ARG_DIFF_SRC, result}};
    if (workspace_) {
      arguments.emplace_back(DNNL_ARG_WORKSPACE, workspace_);
    }
    lowering().emit(
        named(".backward"), dnnl::lrn_backward(pd), pd.scratchpad_desc(), std::move(arguments));
    return {{result}};
  }

 private:
  std::optional<dnnl::lrn_forward::primitive_desc> forward_;
  Tensor source_, workspace_;
};

}  // namespace

std::unique_ptr<Operation> make_local_response_norm(const OperationContext& context) {
  return std::make_unique<LocalResponseNorm>(context);
}

}  // namespace rightsize::cpu
