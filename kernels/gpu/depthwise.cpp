// A convolution with as many groups as channels, with our own kernels: cuDNN's classic interface
// promises no algorithm for those in NHWC at every precision, and what it has was made for few and
// wide groups. They pad any side as the layer says.
#include "kernels/gpu/operation.h"
#include "kernels/gpu/window_kernels.h"

namespace rightsize::gpu {
namespace {

class Depthwise final : public Operation {
 public:
  explicit Depthwise(const OperationContext& context)
      : Operation(context), weights_(parameter(".weights")) {}

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    output_ = lowering().tensor(output_shape(source_.shape.n), type());
    const int bias = layer().bias ? parameter(".bias").master : -1;
    lowering().emit(named(".forward"),
                    [this, bias] {
                      launch_depthwise(layer(),
                                       tensors(source_, weights_.compute, output_),
                                       bias < 0 ? nullptr : lowering().address_as<float>(bias),
                                       type(),
                                       context().relu,
                                       stream());
                      check_launch();
                    },
                    {source_.buffer, weights_.compute, bias, output_.buffer});
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto inner = context().relu ? relu_backward(context(), output_, gradient) : gradient;
    arriving_ = inner.tensor;
    if (layer().bias) {
      emit_bias_gradient(context(), parameter(".bias"), arriving_);
    }
    emit_filter_gradient();
    if (!context().input_gradient) {
      return {Gradient{}};
    }
    result_ = lowering().tensor(source_.shape, type());
    lowering().emit(named(".backward_data"),
                    [this] {
                      launch_depthwise_backward_data(
                          layer(), tensors(result_, weights_.compute, arriving_), type(), stream());
                      check_launch();
                    },
                    {arriving_.buffer, weights_.compute, result_.buffer});
    return {{result_}};
  }

 private:
  void emit_filter_gradient() {
    const auto partials = context().shared.partials;
    lowering().grow(partials,
                    static_cast<std::size_t>(depthwise_partial_floats(layer())) * sizeof(float));
    lowering().emit(named(".backward_weights"),
                    [this, partials] {
                      launch_depthwise_backward_filter(
                          layer(),
                          tensors(source_, weights_.gradient, arriving_),
                          lowering().address_as<float>(partials),
                          type(),
                          stream());
                      check_launch();
                    },
                    {source_.buffer, arriving_.buffer, weights_.gradient, partials});
  }

  [[nodiscard]] DepthwiseTensors tensors(const Tensor& x, int weights, const Tensor& y) const {
    return {lowering().address(x),
            x.shape,
            lowering().address(weights),
            lowering().address(y),
            y.shape};
  }

  const Parameter& weights_;
  Tensor source_, output_, arriving_, result_;
};

}  // namespace

std::unique_ptr<Operation> make_depthwise(const OperationContext& context) {
  return std::make_unique<Depthwise>(context);
}

}  // namespace rightsize::gpu
