// MobileNetV2: Sandler et al., "MobileNetV2: Inverted Residuals and Linear Bottlenecks", CVPR 2018,
// table 2, width 1.0 at 224x224 (torchvision's mobilenet_v2). A block widens its input, filters
// each channel by itself, and narrows again without an activation; it adds its input where shapes
// agree.
#include <array>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/builder.h"
#include "kernels/networks/families.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize {
namespace {

// A row of table 2: expansion t, channels c, repeats n, stride s of the first block.
struct Stage {
  std::int64_t expansion;
  std::int64_t channels;
  int repeats;
  std::int64_t stride;
};

constexpr std::array<Stage, 7> stages{{{1, 16, 1, 1},
                                       {6, 24, 2, 2},
                                       {6, 32, 3, 2},
                                       {6, 64, 4, 2},
                                       {6, 96, 3, 1},
                                       {6, 160, 3, 2},
                                       {6, 320, 1, 1}}};

int conv_norm_relu6(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t channels, Window window) {
  const int x = convolution_norm(net, name, from, channels, window);
  return net.activation(name + "_relu6", x, Activation::relu6);
}

int inverted_residual(NetworkBuilder& net,
                      const std::string& name,
                      int from,
                      const Stage& stage,
                      std::int64_t stride) {
  const auto in_channels = net.shape(from).c;
  const auto wide = in_channels * stage.expansion;
  int x = stage.expansion == 1 ? from : conv_norm_relu6(net, name + "_expand", from, wide, {});
  x = conv_norm_relu6(
      net, name + "_depthwise", x, wide, {.kernel = 3, .stride = stride, .pad = 1, .groups = wide});
  x = convolution_norm(net, name + "_project", x, stage.channels, {});
  return stride == 1 && in_channels == stage.channels ? net.add(name + "_sum", {x, from}) : x;
}

}  // namespace

Network make_mobilenet_v2() {
  NetworkBuilder net("mobilenet-v2", "MobileNetV2", {3, 224, 224}, 1000);
  int x = conv_norm_relu6(net, "stem", net.input(), 32, {.kernel = 3, .stride = 2, .pad = 1});
  int block = 0;
  for (const auto& stage : stages) {
    for (int i = 0; i < stage.repeats; ++i) {
      const auto name = fmt::format("block{}", ++block);
      x = inverted_residual(net, name, x, stage, i == 0 ? stage.stride : 1);
    }
  }
  x = conv_norm_relu6(net, "head", x, 1280, {});
  x = net.dropout("drop", net.global_average_pool("pool", x), 0.2F);
  return net.finish(net.fully_connected("fc", x, 1000));
}

}  // namespace rightsize
