// Channel i C / groups + j to j groups + i; the gradient goes the way back, which is a shuffle of
// C / groups groups.
#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

class ShuffleChannels final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    return shuffled(".forward", inputs[0], layer().groups);
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    return {{shuffled(".backward", gradient.tensor, layer().out.c / layer().groups)}};
  }

 private:
  Tensor shuffled(const char* suffix, const Tensor& from, std::int64_t groups) {
    const auto to = lowering().tensor(from.shape, type());
    lowering().emit(named(suffix),
                    [this, from, to, groups] {
                      launch_shuffle_channels(lowering().address(from),
                                              lowering().address(to),
                                              type(),
                                              from.shape.rows(),
                                              from.shape.c,
                                              groups,
                                              stream());
                      check_launch();
                    },
                    {from.buffer, to.buffer});
    return to;
  }
};

}  // namespace

std::unique_ptr<Operation> make_shuffle_channels(const OperationContext& context) {
  return std::make_unique<ShuffleChannels>(context);
}

}  // namespace rightsize::gpu
