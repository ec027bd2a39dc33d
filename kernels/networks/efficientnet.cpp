// EfficientNet: Tan and Le, "EfficientNet: Rethinking Model Scaling for Convolutional Neural
// Networks", ICML 2019; B0 is table 1, the others it with the widths, depths and image sizes of the
// authors' code (tensorflow/tpu, efficientnet_builder.py). Parameters as in torchvision and timm.
// Stochastic depth, which trainings leave blocks out with, has no layer.
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/families.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize {
namespace {

// A row of table 1: expansion, window, stride of the first block, channels, blocks.
struct Stage {
  std::int64_t expansion;
  std::int64_t kernel;
  std::int64_t stride;
  double channels;
  double blocks;
};

constexpr std::array<Stage, 7> stages{{{1, 3, 1, 16, 1},
                                       {6, 3, 2, 24, 2},
                                       {6, 5, 2, 40, 2},
                                       {6, 3, 2, 80, 3},
                                       {6, 5, 1, 112, 3},
                                       {6, 5, 2, 192, 4},
                                       {6, 3, 1, 320, 1}}};

struct Scale {
  double width;
  double depth;
  std::int64_t image;
  float dropout;
};

constexpr std::array<Scale, 8> scales{{{1.0, 1.0, 224, 0.2F},
                                       {1.0, 1.1, 240, 0.2F},
                                       {1.1, 1.2, 260, 0.3F},
                                       {1.2, 1.4, 300, 0.3F},
                                       {1.4, 1.8, 380, 0.4F},
                                       {1.6, 2.2, 456, 0.4F},
                                       {1.8, 2.6, 528, 0.5F},
                                       {2.0, 3.1, 600, 0.5F}}};

constexpr float epsilon = 1e-3F;
constexpr auto swish = Activation::silu;

int block(NetworkBuilder& net,
          const std::string& name,
          int from,
          const Stage& stage,
          const Scale& scale) {
  const auto in_channels = net.shape(from).c;
  return inverted_residual(net,
                           name,
                           from,
                           {.kernel = stage.kernel,
                            .stride = stage.stride,
                            .wide = in_channels * stage.expansion,
                            .channels = rounded_channels(scale.width * stage.channels),
                            .function = swish,
                            .excitation = {.squeezed = in_channels / 4, .between = swish},
                            .epsilon = epsilon});
}

Network make_efficientnet(std::size_t size) {
  const auto& scale = scales.at(size);
  NetworkBuilder net(fmt::format("efficientnet-b{}", size),
                     fmt::format("EfficientNet-B{}", size),
                     {3, scale.image, scale.image},
                     1000);
  int x = convolution_norm_active(net,
                                  "stem",
                                  net.input(),
                                  rounded_channels(32 * scale.width),
                                  {.kernel = 3, .stride = 2, .pad = 1},
                                  swish,
                                  epsilon);
  int number = 0;
  for (auto stage : stages) {
    const auto blocks = static_cast<int>(std::ceil(scale.depth * stage.blocks));
    for (int i = 0; i < blocks; ++i) {
      x = block(net, fmt::format("block{}", ++number), x, stage, scale);
      stage.stride = 1;
    }
  }
  x = convolution_norm_active(
      net, "head", x, rounded_channels(1280 * scale.width), {}, swish, epsilon);
  x = net.dropout("drop", net.global_average_pool("pool", x), scale.dropout);
  return net.finish(net.fully_connected("fc", x, 1000));
}

}  // namespace

Network make_efficientnet_b0() {
  return make_efficientnet(0);
}
Network make_efficientnet_b1() {
  return make_efficientnet(1);
}
Network make_efficientnet_b2() {
  return make_efficientnet(2);
}
Network make_efficientnet_b3() {
  return make_efficientnet(3);
}
Network make_efficientnet_b4() {
  return make_efficientnet(4);
}
Network make_efficientnet_b5() {
  return make_efficientnet(5);
}
Network make_efficientnet_b6() {
  return make_efficientnet(6);
}
Network make_efficientnet_b7() {
  return make_efficientnet(7);
}

}  // namespace rightsize
