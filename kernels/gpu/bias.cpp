#include "kernels/gpu/operation.h"

namespace rightsize::gpu {

void emit_bias_gradient(const OperationContext& context,
                        const Parameter& bias,
                        const Tensor& gradient) {
  auto& lowering = context.lowering;
  const auto partials = context.shared.partials;
  lowering.grow(partials,
                static_cast<std::size_t>(partial_floats(gradient.shape, 1)) * sizeof(float));
  lowering.emit(context.layer.name + ".backward_bias",
                [&lowering, &device = context.device, target = bias.gradient, gradient, partials] {
                  launch_bias_gradient(lowering.address(gradient),
                                       lowering.address_as<float>(target),
                                       lowering.address_as<float>(partials),
                                       gradient.type,
                                       gradient.shape,
                                       device.stream().get());
                  check_launch();
                },
                {gradient.buffer, bias.gradient, partials});
}

}  // namespace rightsize::gpu
