// Batch normalisation with our own kernels (norm_*.cu): fused with the sum and the ReLU that
// follow, in every precision. cuDNN's fused one is for FP16 alone and has no BF16.
#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

class BatchNorm final : public Operation {
 public:
  explicit BatchNorm(const OperationContext& context)
      : Operation(context),
        scale_(parameter(".scale")),
        shift_(parameter(".shift")),
        running_mean_(parameter(".mean")),
        running_variance_(parameter(".variance")) {}

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    addend_ = inputs.size() > 1 ? inputs[1] : Tensor{};
    output_ = lowering().tensor(source_.shape, type());
    const auto channels = static_cast<std::size_t>(source_.shape.c) * sizeof(float);
    mean_ = lowering().buffer(channels);
    inverse_std_ = lowering().buffer(channels);
    lowering().grow(context().shared.partials, partial_bytes());
    lowering().emit(named(".forward"),
                    [this] { run_forward(); },
                    {source_.buffer,
                     addend_.buffer,
                     output_.buffer,
                     mean_,
                     inverse_std_,
                     scale_.master,
                     shift_.master,
                     running_mean_.master,
                     running_variance_.master,
                     context().shared.partials});
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    arriving_ = gradient.tensor;
    const auto fresh = [&] { return lowering().tensor(source_.shape, type()); };
    const bool masked_addend = addend_ && context().relu;
    if (masked_addend) {
      addend_result_ = gradient.exclusive ? arriving_ : fresh();
    }
    result_ = gradient.exclusive && !addend_ ? arriving_ : fresh();
    lowering().emit(named(".backward"),
                    [this] { run_backward(); },
                    {source_.buffer,
                     masked_addend ? output_.buffer : -1,
                     arriving_.buffer,
                     addend_result_.buffer,
                     result_.buffer,
                     mean_,
                     inverse_std_,
                     scale_.master,
                     shift_.master,
                     scale_.gradient,
                     shift_.gradient,
                     context().shared.partials});
    if (!addend_) {
      return {{result_}};
    }
    // Without a ReLU the addend gets what arrived, as it is.
    return {{result_}, masked_addend ? Gradient{addend_result_} : gradient};
  }

 private:
  [[nodiscard]] std::size_t partial_bytes() const {
    return static_cast<std::size_t>(partial_floats(source_.shape, 2)) * sizeof(float);
  }

  [[nodiscard]] NormParameters parameters() const {
    return {lowering().address_as<float>(scale_.master),
            lowering().address_as<float>(shift_.master),
            lowering().address_as<float>(running_mean_.master),
            lowering().address_as<float>(running_variance_.master),
            lowering().address_as<float>(mean_),
            lowering().address_as<float>(inverse_std_),
            layer().epsilon};
  }

  [[nodiscard]] void* optional(const Tensor& tensor) const {
    return tensor ? lowering().address(tensor) : nullptr;
  }

  void run_forward() {
    const auto* const x = lowering().address(source_);
    const auto* const z = optional(addend_);
    auto* const y = lowering().address(output_);
    const auto relu = context().relu;
    if (context().training) {
      auto* const partials = lowering().address_as<float>(context().shared.partials);
      launch_norm_training(x, z, y, parameters(), partials, type(), source_.shape, relu, stream());
    } else {
      launch_norm_inference(x, z, y, parameters(), type(), source_.shape, relu, stream());
    }
    check_launch();
  }

  void run_backward() {
    const NormGradients gradients{addend_result_ ? lowering().address(output_) : nullptr,
                                  lowering().address(arriving_),
                                  lowering().address(result_),
                                  optional(addend_result_),
                                  lowering().address_as<float>(scale_.gradient),
                                  lowering().address_as<float>(shift_.gradient)};
    launch_norm_backward(lowering().address(source_),
                         parameters(),
                         gradients,
                         lowering().address_as<float>(context().shared.partials),
                         type(),
                         source_.shape,
                         context().relu,
                         stream());
    check_launch();
  }

  const Parameter& scale_;
  const Parameter& shift_;
  const Parameter& running_mean_;
  const Parameter& running_variance_;
  Tensor source_, addend_, output_, arriving_, addend_result_, result_;
  int mean_ = -1;
  int inverse_std_ = -1;
};

}  // namespace

std::unique_ptr<Operation> make_batch_norm(const OperationContext& context) {
  return std::make_unique<BatchNorm>(context);
}

}  // namespace rightsize::gpu
