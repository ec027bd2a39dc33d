// Layer and RMS normalisation over the features of each position, always in FP32.
#include "kernels/gpu/operation.h"
#include "kernels/gpu/sequence_kernels.h"

namespace rightsize::gpu {
namespace {

class RowNorm final : public Operation {
 public:
  explicit RowNorm(const OperationContext& context)
      : Operation(context),
        scale_(parameter(".scale")),
        shift_(centred() ? &parameter(".shift") : nullptr) {}

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    statistics_ =
        lowering().buffer(static_cast<std::size_t>(2 * source_.shape.rows()) * sizeof(float));
    const auto output = lowering().tensor(source_.shape, type());
    lowering().emit(named(".forward"),
                    [this, output] {
                      launch_row_norm(lowering().address(source_),
                                      lowering().address(output),
                                      parameters(),
                                      type(),
                                      source_.shape,
                                      stream());
                      check_launch();
                    },
                    {source_.buffer, scale_.master, shift_buffer(), statistics_, output.buffer});
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto from = gradient.tensor;
    const auto result = gradient.exclusive ? from : lowering().tensor(from.shape, type());
    const int shift = shift_ == nullptr ? -1 : shift_->gradient;
    const auto partials = context().shared.partials;
    lowering().grow(partials,
                    static_cast<std::size_t>(partial_floats(from.shape, 2)) * sizeof(float));
    lowering().emit(named(".backward"),
                    [this, from, result, shift, partials] {
                      const RowNormGradients gradients{
                          lowering().address(from),
                          lowering().address(result),
                          lowering().address_as<float>(scale_.gradient),
                          shift < 0 ? nullptr : lowering().address_as<float>(shift)};
                      launch_row_norm_backward(lowering().address(source_),
                                               parameters(),
                                               gradients,
                                               lowering().address_as<float>(partials),
                                               type(),
                                               from.shape,
                                               stream());
                      check_launch();
                    },
                    {source_.buffer,
                     from.buffer,
                     result.buffer,
                     statistics_,
                     scale_.master,
                     scale_.gradient,
                     shift,
                     partials});
    return {{result}};
  }

 private:
  [[nodiscard]] bool centred() const { return layer().kind == LayerKind::layer_norm; }
  [[nodiscard]] int shift_buffer() const { return shift_ == nullptr ? -1 : shift_->master; }

  [[nodiscard]] RowNormParameters parameters() const {
    return {lowering().address_as<float>(scale_.master),
            shift_ == nullptr ? nullptr : lowering().address_as<float>(shift_->master),
            lowering().address_as<float>(statistics_),
            layer().epsilon,
            centred()};
  }

  const Parameter& scale_;
  const Parameter* shift_;
  Tensor source_;
  int statistics_ = -1;
};

}  // namespace

std::unique_ptr<Operation> make_row_norm(const OperationContext& context) {
  return std::make_unique<RowNorm>(context);
}

}  // namespace rightsize::gpu
