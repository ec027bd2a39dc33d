#include <fmt/format.h>

#include "kernels/gpu/operation.h"
#include "kernels/gpu/window_kernels.h"

namespace rightsize::gpu {
namespace {

constexpr std::int64_t largest_mask_window = 256;  // positions one byte can name

class Pooling final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    output_ = lowering().tensor(output_shape(source_.shape.n), type());
    if (takes_maximum() && context().has_backward) {
      if (layer().kernel_h * layer().kernel_w > largest_mask_window) {
        throw GpuError(abi::Status::unsupported,
                       fmt::format("layer {}: maximum pooling over {}x{} positions is too large to "
                                   "train; use at most {} positions",
                                   layer().name,
                                   layer().kernel_h,
                                   layer().kernel_w,
                                   largest_mask_window));
      }
      mask_ = lowering().buffer(static_cast<std::size_t>(output_.shape.elements()));
    }
    lowering().emit(
        named(".forward"), [this] { run_forward(); }, {source_.buffer, output_.buffer, mask_});
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    if (!context().input_gradient) {
      return {Gradient{}};
    }
    arriving_ = gradient.tensor;
    result_ = lowering().tensor(source_.shape, type());
    lowering().emit(
        named(".backward"), [this] { run_backward(); }, {arriving_.buffer, result_.buffer, mask_});
    return {{result_}};
  }

 private:
  [[nodiscard]] bool takes_maximum() const { return layer().kind == LayerKind::max_pool; }

  [[nodiscard]] unsigned char* mask() const {
    return mask_ < 0 ? nullptr : lowering().address_as<unsigned char>(mask_);
  }

  void run_forward() {
    const auto* const x = lowering().address(source_);
    auto* const y = lowering().address(output_);
    if (takes_maximum()) {
      launch_max_pool(layer(), x, source_.shape, y, output_.shape, mask(), type(), stream());
    } else {
      launch_average_pool(layer(), x, source_.shape, y, output_.shape, type(), stream());
    }
    check_launch();
  }

  void run_backward() {
    const auto* const dy = lowering().address(arriving_);
    auto* const dx = lowering().address(result_);
    if (takes_maximum()) {
      launch_max_pool_backward(
          layer(), dy, output_.shape, dx, source_.shape, mask(), type(), stream());
    } else {
      launch_average_pool_backward(layer(), dy, output_.shape, dx, source_.shape, type(), stream());
    }
    check_launch();
  }

  Tensor source_, output_, arriving_, result_;
  int mask_ = -1;
};

}  // namespace

std::unique_ptr<Operation> make_pooling(const OperationContext& context) {
  return std::make_unique<Pooling>(context);
}

}  // namespace rightsize::gpu
