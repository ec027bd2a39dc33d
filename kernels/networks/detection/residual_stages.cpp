#include "kernels/networks/detection/residual_stages.h"

#include <string>

#include <fmt/format.h>

namespace rightsize::detection {
namespace {

int conv_norm(NetworkBuilder& net,
              const std::string& name,
              int from,
              std::int64_t channels,
              const WindowHw& window) {
  return net.batch_norm(name + "_bn", net.convolution_hw(name, from, channels, window, false));
}

int block(NetworkBuilder& net,
          const std::string& name,
          int from,
          std::int64_t inner,
          std::int64_t channels,
          const WindowHw& window) {
  int x = conv_norm_relu(net, name + "_2a", from, inner, {});
  x = conv_norm_relu(net, name + "_2b", x, inner, window);
  x = conv_norm(net, name + "_2c", x, channels, {});
  int shortcut = from;
  if (net.shape(from).c != channels) {
    const WindowHw step{.stride_h = window.stride_h, .stride_w = window.stride_w};
    shortcut = conv_norm(net, name + "_1", from, channels, step);
  }
  return net.relu(name + "_relu", net.add(name + "_sum", {x, shortcut}));
}

}  // namespace

WindowHw three_by_three(std::int64_t stride, std::int64_t dilation, std::int64_t groups) {
  return {.kernel_h = 3,
          .kernel_w = 3,
          .stride_h = stride,
          .stride_w = stride,
          .pad_h = dilation,
          .pad_w = dilation,
          .dilation_h = dilation,
          .dilation_w = dilation,
          .groups = groups};
}

int conv_norm_relu(NetworkBuilder& net,
                   const std::string& name,
                   int from,
                   std::int64_t channels,
                   const WindowHw& window) {
  return net.relu(name + "_relu", conv_norm(net, name, from, channels, window));
}

std::vector<int> residual_stages(NetworkBuilder& net, const ResidualShape& shape) {
  const WindowHw stem{
      .kernel_h = 7, .kernel_w = 7, .stride_h = 2, .stride_w = 2, .pad_h = 3, .pad_w = 3};
  int x = conv_norm_relu(net, "conv1", net.input(), 64, stem);
  x = net.max_pool("pool1", x, {.kernel = 3, .stride = 2, .pad = 1});
  std::vector<int> outputs;
  std::int64_t before = 1;
  for (std::size_t stage = 0; stage < shape.blocks.size(); ++stage) {
    const auto inner = shape.inner << stage;
    const auto channels = std::int64_t{256} << stage;
    for (int i = 0; i < shape.blocks[stage]; ++i) {
      const auto stride = i == 0 ? shape.strides[stage] : 1;
      const auto dilation = i == 0 ? before : shape.dilations[stage];
      x = block(net,
                fmt::format("res{}_{}", stage + 2, i + 1),
                x,
                inner,
                channels,
                three_by_three(stride, dilation, shape.groups));
    }
    before = shape.dilations[stage];
    outputs.push_back(x);
  }
  return outputs;
}

}  // namespace rightsize::detection
