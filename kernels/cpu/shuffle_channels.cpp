// Channel i C / groups + j to j groups + i: each group hands one channel to every group of the next
// grouped convolution (Zhang et al., "ShuffleNet", CVPR 2018). The gradient goes the way back,
// which is a shuffle of C / groups groups.
#include <optional>

#include "kernels/cpu/channels.h"
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

class ShuffleChannels final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto input =
        lowering().reordered(inputs[0], with_type(inputs[0].desc(), lowering().type()));
    forward_ = shuffle(lowering().running(), input.desc(), channel_axis, group_size());
    const auto output = lowering().buffer(input.desc());
    lowering().emit(named(".forward"),
                    dnnl::shuffle_forward(*forward_),
                    forward_->scratchpad_desc(),
                    {{DNNL_ARG_SRC, input}, {DNNL_ARG_DST, output}});
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto desc = forward_->dst_desc();
    const auto pd =
        shuffle_backward(lowering().running(), *forward_, desc, channel_axis, group_size());
    const auto arriving = lowering().reordered(gradient.tensor, desc);
    const auto result = lowering().buffer(desc);
    lowering().emit(named(".backward"),
                    dnnl::shuffle_backward(pd),
                    pd.scratchpad_desc(),
                    {{DNNL_ARG_DIFF_DST, arriving}, {DNNL_ARG_DIFF_SRC, result}});
    return {{result}};
  }

 private:
  // oneDNN counts the channels of a group.
  [[nodiscard]] int group_size() const { return static_cast<int>(layer().out.c / layer().groups); }

  std::optional<dnnl::shuffle_forward::primitive_desc> forward_;
};

}  // namespace

std::unique_ptr<Operation> make_shuffle_channels(const OperationContext& context) {
  return std::make_unique<ShuffleChannels>(context);
}

}  // namespace rightsize::cpu
