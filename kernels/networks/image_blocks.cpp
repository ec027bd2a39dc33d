#include "kernels/networks/image_blocks.h"

#include <algorithm>

namespace rightsize {

int nonlinear(NetworkBuilder& net, const std::string& name, int from, Nonlinearity function) {
  return function ? net.activation(name, from, *function) : net.relu(name, from);
}

int convolution_norm(NetworkBuilder& net,
                     const std::string& name,
                     int from,
                     std::int64_t channels,
                     Window window,
                     float epsilon) {
  const int x = net.convolution(name, from, channels, window, false);
  return net.batch_norm(name + "_bn", x, epsilon);
}

int convolution_norm_relu(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t channels, Window window) {
  return net.relu(name + "_relu", convolution_norm(net, name, from, channels, window));
}

int convolution_norm_active(NetworkBuilder& net,
                            const std::string& name,
                            int from,
                            std::int64_t channels,
                            Window window,
                            Nonlinearity function,
                            float epsilon) {
  const int x = convolution_norm(net, name, from, channels, window, epsilon);
  return nonlinear(net, name + "_active", x, function);
}

int squeeze_and_excite(NetworkBuilder& net,
                       const std::string& name,
                       int from,
                       const Excitation& excitation) {
  const auto channels = net.shape(from).c;
  int x = net.global_average_pool(name + "_squeeze", from);
  x = net.convolution(name + "_fc1", x, excitation.squeezed, {}, true);
  x = nonlinear(net, name + "_fc1_active", x, excitation.between);
  x = net.convolution(name + "_fc2", x, channels, {}, true);
  x = net.activation(name + "_gate", x, excitation.gate);
  return net.multiply(name + "_excite", from, x);
}

int inverted_residual(NetworkBuilder& net,
                      const std::string& name,
                      int from,
                      const InvertedResidual& block) {
  const auto in_channels = net.shape(from).c;
  int x = from;
  if (block.wide != in_channels) {
    x = convolution_norm_active(
        net, name + "_expand", x, block.wide, {}, block.function, block.epsilon);
  }
  const Window filter{.kernel = block.kernel,
                      .stride = block.stride,
                      .pad = block.kernel / 2,
                      .groups = block.wide};
  x = convolution_norm_active(
      net, name + "_depthwise", x, block.wide, filter, block.function, block.epsilon);
  if (block.excitation.squeezed > 0) {
    x = squeeze_and_excite(net, name, x, block.excitation);
  }
  x = convolution_norm(net, name + "_project", x, block.channels, {}, block.epsilon);
  return block.stride == 1 && in_channels == block.channels ? net.add(name + "_sum", {x, from}) : x;
}

std::int64_t rounded_channels(double channels) {
  constexpr std::int64_t step = 8;
  const auto nearest = static_cast<std::int64_t>(channels + step / 2.0) / step * step;
  const auto rounded = std::max(step, nearest);
  return static_cast<double>(rounded) < 0.9 * channels ? rounded + step : rounded;
}

}  // namespace rightsize
