// EfficientNetV2: Tan and Le, "EfficientNetV2: Smaller Models and Faster Training", ICML 2021,
// table 4 and the authors' code (google/automl) for M and L, at the image sizes of their tests. In
// the first stages one dense 3x3 convolution widens and filters at once. Parameters as in
// torchvision; stochastic depth has no layer.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/networks/families.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize {
namespace {

// A row of table 4: expansion, stride of the first block, channels, blocks; every window is 3x3.
struct Stage {
  bool fused;
  std::int64_t expansion;
  std::int64_t stride;
  std::int64_t channels;
  int blocks;
};

struct Form {
  std::int64_t image;
  float dropout;
  std::vector<Stage> stages;
};

constexpr float epsilon = 1e-3F;
constexpr auto swish = Activation::silu;

int fused_block(NetworkBuilder& net, const std::string& name, int from, const Stage& stage) {
  const auto in_channels = net.shape(from).c;
  const Window window{.kernel = 3, .stride = stage.stride, .pad = 1};
  const bool widens = stage.expansion > 1;
  const auto wide = widens ? in_channels * stage.expansion : stage.channels;
  int x = convolution_norm_active(net, name + "_expand", from, wide, window, swish, epsilon);
  if (widens) {
    x = convolution_norm(net, name + "_project", x, stage.channels, {}, epsilon);
  }
  const bool same = stage.stride == 1 && in_channels == stage.channels;
  return same ? net.add(name + "_sum", {x, from}) : x;
}

int block(NetworkBuilder& net, const std::string& name, int from, const Stage& stage) {
  const auto in_channels = net.shape(from).c;
  return stage.fused
             ? fused_block(net, name, from, stage)
             : inverted_residual(net,
                                 name,
                                 from,
                                 {.stride = stage.stride,
                                  .wide = in_channels * stage.expansion,
                                  .channels = stage.channels,
                                  .function = swish,
                                  .excitation = {.squeezed = in_channels / 4, .between = swish},
                                  .epsilon = epsilon});
}

Network make_efficientnet_v2(const std::string& name, const std::string& title, const Form& form) {
  NetworkBuilder net(name, title, {3, form.image, form.image}, 1000);
  const auto stem = form.stages.front().channels;
  int x = convolution_norm_active(
      net, "stem", net.input(), stem, {.kernel = 3, .stride = 2, .pad = 1}, swish, epsilon);
  int number = 0;
  for (auto stage : form.stages) {
    for (int i = 0; i < stage.blocks; ++i) {
      x = block(net, fmt::format("block{}", ++number), x, stage);
      stage.stride = 1;
    }
  }
  x = convolution_norm_active(net, "head", x, 1280, {}, swish, epsilon);
  x = net.dropout("drop", net.global_average_pool("pool", x), form.dropout);
  return net.finish(net.fully_connected("fc", x, 1000));
}

}  // namespace

Network make_efficientnet_v2_s() {
  return make_efficientnet_v2("efficientnet-v2-s",
                              "EfficientNetV2-S",
                              {.image = 384,
                               .dropout = 0.2F,
                               .stages = {{true, 1, 1, 24, 2},
                                          {true, 4, 2, 48, 4},
                                          {true, 4, 2, 64, 4},
                                          {false, 4, 2, 128, 6},
                                          {false, 6, 1, 160, 9},
                                          {false, 6, 2, 256, 15}}});
}
Network make_efficientnet_v2_m() {
  return make_efficientnet_v2("efficientnet-v2-m",
                              "EfficientNetV2-M",
                              {.image = 480,
                               .dropout = 0.3F,
                               .stages = {{true, 1, 1, 24, 3},
                                          {true, 4, 2, 48, 5},
                                          {true, 4, 2, 80, 5},
                                          {false, 4, 2, 160, 7},
                                          {false, 6, 1, 176, 14},
                                          {false, 6, 2, 304, 18},
                                          {false, 6, 1, 512, 5}}});
}
Network make_efficientnet_v2_l() {
  return make_efficientnet_v2("efficientnet-v2-l",
                              "EfficientNetV2-L",
                              {.image = 480,
                               .dropout = 0.4F,
                               .stages = {{true, 1, 1, 32, 4},
                                          {true, 4, 2, 64, 7},
                                          {true, 4, 2, 96, 7},
                                          {false, 4, 2, 192, 10},
                                          {false, 6, 1, 224, 19},
                                          {false, 6, 2, 384, 25},
                                          {false, 6, 1, 640, 7}}});
}

}  // namespace rightsize
