// Channels side by side. In NHWC they alternate position by position, so every input is copied into
// its place of each row, and its gradient out of there.
#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

class Concat final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    inputs_.assign(inputs.begin(), inputs.end());
    const auto output = lowering().tensor(output_shape(inputs[0].shape.n), type());
    std::int64_t first = 0;
    for (const auto& input : inputs_) {
      const auto channels = input.shape.c;
      emit(named(".forward"), input, {0, channels}, output, {first, output.shape.c}, channels);
      first += channels;
    }
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto& arriving = gradient.tensor;
    std::vector<Gradient> results;
    std::int64_t first = 0;
    for (const auto& input : inputs_) {
      const auto channels = input.shape.c;
      const auto result = lowering().tensor(input.shape, type());
      emit(
          named(".backward"), arriving, {first, arriving.shape.c}, result, {0, channels}, channels);
      results.push_back({result});
      first += channels;
    }
    return results;
  }

 private:
  void emit(std::string name,
            const Tensor& from,
            const ChannelSlice& source,
            const Tensor& to,
            const ChannelSlice& target,
            std::int64_t channels) {
    lowering().emit(std::move(name),
                    [this, from, source, to, target, channels] {
                      launch_copy_channels(lowering().address(from),
                                           source,
                                           lowering().address(to),
                                           target,
                                           type(),
                                           to.shape.rows(),
                                           channels,
                                           stream());
                      check_launch();
                    },
                    {from.buffer, to.buffer});
  }

  std::vector<Tensor> inputs_;
};

}  // namespace

std::unique_ptr<Operation> make_concat(const OperationContext& context) {
  return std::make_unique<Concat>(context);
}

}  // namespace rightsize::gpu
