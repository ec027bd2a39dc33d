#include "kernels/networks/detection/residual_stages.h"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/image_blocks.h"

namespace rightsize::detection {
namespace {

constexpr float epsilon = 1e-5F;

int stem(NetworkBuilder& net, bool deep) {
  if (!deep) {
    return conv_norm_relu(net, "conv1", net.input(), 64, {.kernel = 7, .stride = 2, .pad = 3});
  }
  int x = conv_norm_relu(net, "conv1_1", net.input(), 32, three_by_three(2));
  x = conv_norm_relu(net, "conv1_2", x, 32, three_by_three());
  return conv_norm_relu(net, "conv1_3", x, 64, three_by_three());
}

int shortcut_of(NetworkBuilder& net,
                const std::string& name,
                int from,
                std::int64_t channels,
                const ResidualShape& shape,
                std::int64_t stride) {
  if (!shape.deep_stem || stride == 1) {
    return convolution_norm(net, name + "_1", from, channels, {.stride = stride}, epsilon);
  }
  const int x = net.average_pool(name + "_1_pool", from, {.kernel = stride, .stride = stride});
  return convolution_norm(net, name + "_1", x, channels, {}, epsilon);
}

int block(NetworkBuilder& net,
          const std::string& name,
          int from,
          std::int64_t inner,
          std::int64_t channels,
          const ResidualShape& shape,
          Window window,
          bool first) {
  int x = 0;
  if (shape.basic) {
    x = conv_norm_relu(net, name + "_2a", from, channels, window);
    x = convolution_norm(net, name + "_2b", x, channels, three_by_three(), epsilon);
  } else {
    x = conv_norm_relu(net, name + "_2a", from, inner, {});
    x = conv_norm_relu(net, name + "_2b", x, inner, window);
    x = convolution_norm(net, name + "_2c", x, channels, {}, epsilon);
  }
  int shortcut = from;
  if (net.shape(from).c != channels || (first && shape.basic && shape.deep_stem)) {
    shortcut = shortcut_of(net, name, from, channels, shape, window.stride);
  }
  return net.relu(name + "_relu", net.add(name + "_sum", {x, shortcut}));
}

}  // namespace

Window three_by_three(std::int64_t stride, std::int64_t dilation, std::int64_t groups) {
  return {.kernel = 3, .stride = stride, .pad = dilation, .groups = groups, .dilation = dilation};
}

int conv_norm_relu(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t channels, Window window) {
  return convolution_norm_active(net, name, from, channels, window, std::nullopt, epsilon);
}

std::vector<int> residual_stages(NetworkBuilder& net, const ResidualShape& shape) {
  int x = net.max_pool("pool1", stem(net, shape.deep_stem), {.kernel = 3, .stride = 2, .pad = 1});
  std::vector<int> outputs;
  std::int64_t before = 1;
  for (std::size_t stage = 0; stage < shape.blocks.size(); ++stage) {
    const auto inner = shape.inner << stage;
    const auto channels = std::int64_t{shape.basic ? 64 : 256} << stage;
    for (int i = 0; i < shape.blocks[stage]; ++i) {
      const auto stride = i == 0 ? shape.strides[stage] : 1;
      const auto dilation = i == 0 ? before : shape.dilations[stage];
      x = block(net,
                fmt::format("res{}_{}", stage + 2, i + 1),
                x,
                inner,
                channels,
                shape,
                three_by_three(stride, dilation, shape.groups),
                i == 0);
    }
    before = shape.dilations[stage];
    outputs.push_back(x);
  }
  return outputs;
}

}  // namespace rightsize::detection
