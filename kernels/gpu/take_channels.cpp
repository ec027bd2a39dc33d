// Neighbouring channels of every position; the others get no gradient.
#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

class TakeChannels final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    const auto output = lowering().tensor(output_shape(source_.shape.n), type());
    lowering().emit(named(".forward"),
                    [this, output] { copy(source_, inside(), output, alone()); },
                    {source_.buffer, output.buffer});
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = gradient.tensor;
    const auto result = lowering().tensor(source_.shape, type());
    lowering().emit(
        named(".backward"),
        [this, arriving, result] {
          check(cudaMemsetAsync(lowering().address(result), 0, result.bytes(), stream()));
          copy(arriving, alone(), result, inside());
        },
        {arriving.buffer, result.buffer});
    return {{result}};
  }

 private:
  [[nodiscard]] ChannelSlice inside() const { return {layer().first_channel, source_.shape.c}; }
  [[nodiscard]] ChannelSlice alone() const { return {0, layer().out.c}; }

  void copy(const Tensor& from,
            const ChannelSlice& source,
            const Tensor& to,
            const ChannelSlice& target) {
    launch_copy_channels(lowering().address(from),
                         source,
                         lowering().address(to),
                         target,
                         type(),
                         source_.shape.rows(),
                         layer().out.c,
                         stream());
    check_launch();
  }

  Tensor source_;
};

}  // namespace

std::unique_ptr<Operation> make_take_channels(const OperationContext& context) {
  return std::make_unique<TakeChannels>(context);
}

}  // namespace rightsize::gpu
