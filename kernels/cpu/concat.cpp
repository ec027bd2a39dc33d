// Channels side by side. The backward pass hands each input its slice of the gradient, copied out
// so that the kernels behind it find dense memory.
#include "kernels/cpu/channels.h"
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

using dnnl::memory;

class Concat final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    Arguments arguments;
    int next = DNNL_ARG_MULTIPLE_SRC;
    const auto rank = dims_of(inputs[0].desc()).size();
    for (const auto& input : inputs) {
      const auto source = with_rank(lowering(), typed(input), rank);
      ranks_.push_back(dims_of(input.desc()).size());
      inputs_.push_back(source.desc());
      arguments.emplace_back(next++, source);
    }
    const auto pd = concatenation(lowering().running(), channel_axis, inputs_);
    const auto output = lowering().buffer(pd.dst_desc());
    arguments.emplace_back(DNNL_ARG_DST, output);
    lowering().emit(
        named(".forward"), dnnl::concat(pd), pd.scratchpad_desc(), std::move(arguments));
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    auto whole = gradient.tensor;
    memory::dims start(dims_of(inputs_[0]).size(), 0);
    for (const auto& input : inputs_) {
      if (!can_slice(whole.desc(), dims_of(input), start)) {
        whole = lowering().reordered(whole, dense(dims_of(whole.desc())));
        break;
      }
      start[channel_axis] += dims_of(input)[channel_axis];
    }
    std::vector<Gradient> slices;
    start[channel_axis] = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const auto& input = inputs_[i];
      const auto slice = whole.desc().submemory_desc(dims_of(input), start);
      const auto copied = lowering().buffer(input);
      lowering().copy(lowering().part(whole, slice), copied);
      slices.push_back({with_rank(lowering(), copied, ranks_[i])});
      start[channel_axis] += dims_of(input)[channel_axis];
    }
    return slices;
  }

 private:
  [[nodiscard]] memory::desc dense(const memory::dims& dims) const {
    return with_type(plain(dims), lowering().type());
  }

  // The caller's images are FP32 whatever the engine's type.
  Tensor typed(const Tensor& input) {
    return lowering().reordered(input, with_type(input.desc(), lowering().type()));
  }

  std::vector<memory::desc> inputs_;
  std::vector<std::size_t> ranks_;  // as they came
};

}  // namespace

std::unique_ptr<Operation> make_concat(const OperationContext& context) {
  return std::make_unique<Concat>(context);
}

}  // namespace rightsize::cpu
