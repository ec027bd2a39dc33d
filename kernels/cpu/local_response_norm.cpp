#include <optional>
#include <string_view>

#include "kernels/cpu/local_response_lines.h"
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

using dnnl::algorithm;
using dnnl::prop_kind;

// oneDNN divides alpha by the size as Layer's formula does. Where all it has is its reference, and
// values are FP32, the kernels are our own.
class LocalResponseNorm final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    describe_forward();
    const std::string_view chosen = forward_->impl_info_str();
    by_lines_ = lowering().type() == dnnl::memory::data_type::f32 &&
                chosen.find("ref") != std::string_view::npos;
    return by_lines_ ? forward_by_lines() : forward_by_library();
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    return {
        {by_lines_ ? backward_by_lines(gradient.tensor) : backward_by_library(gradient.tensor)}};
  }

 private:
  void describe_forward() {
    const auto& l = layer();
    const auto kind =
        lowering().training() ? prop_kind::forward_training : prop_kind::forward_inference;
    forward_ = response_norm(
        lowering().running(), kind, source_.desc(), {l.lrn_size, l.lrn_alpha, l.lrn_beta, l.lrn_k});
  }

  [[nodiscard]] ResponseNorm lines() const {
    const auto& l = layer();
    const auto dims = dims_of(source_.desc());
    return {dims[0] * dims[2] * dims[3], dims[1], l.lrn_size, l.lrn_alpha, l.lrn_beta, l.lrn_k};
  }

  [[nodiscard]] dnnl::memory::desc side_by_side() const {
    return {dims_of(source_.desc()), dnnl::memory::data_type::f32, dnnl::memory::format_tag::nhwc};
  }

  Tensor forward_by_lines() {
    const auto from = source_ = lowering().reordered(source_, side_by_side());
    const auto sums = sums_ = lowering().buffer(side_by_side());
    const auto to = lowering().buffer(side_by_side());
    lowering().emit(named(".forward"),
                    [from, sums, to, norm = lines()] {
                      normalise_responses(norm, from.data(), sums.data(), to.data());
                    },
                    {from, sums, to});
    return to;
  }

  Tensor backward_by_lines(const Tensor& gradient) {
    const auto arriving = lowering().reordered(gradient, side_by_side());
    const auto terms = lowering().buffer(side_by_side());
    const auto result = lowering().buffer(side_by_side());
    lowering().emit(
        named(".backward"),
        [from = source_, sums = sums_, arriving, terms, result, norm = lines()] {
          response_gradients(
              norm, from.data(), sums.data(), arriving.data(), terms.data(), result.data());
        },
        {source_, sums_, arriving, terms, result});
    return result;
  }

  Tensor forward_by_library() {
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

  Tensor backward_by_library(const Tensor& gradient) {
    const auto& l = layer();
    const auto pd = response_norm_backward(lowering().running(),
                                           *forward_,
                                           source_.desc(),
                                           {l.lrn_size, l.lrn_alpha, l.lrn_beta, l.lrn_k});
    const auto arriving = lowering().reordered(gradient, pd.diff_dst_desc());
    const auto result = lowering().buffer(pd.diff_src_desc());
    Arguments arguments{
        {DNNL_ARG_SRC, source_}, {DNNL_ARG_DIFF_DST, arriving}, {DNNL_ARG_DIFF_SRC, result}};
    if (workspace_) {
      arguments.emplace_back(DNNL_ARG_WORKSPACE, workspace_);
    }
    lowering().emit(
        named(".backward"), dnnl::lrn_backward(pd), pd.scratchpad_desc(), std::move(arguments));
    return result;
  }

  std::optional<dnnl::lrn_forward::primitive_desc> forward_;
  bool by_lines_ = false;
  Tensor source_, workspace_;
  Tensor sums_;  // s, of our own kernels
};

}  // namespace

std::unique_ptr<Operation> make_local_response_norm(const OperationContext& context) {
  return std::make_unique<LocalResponseNorm>(context);
}

}  // namespace rightsize::cpu
