// MobileNetV3: Howard et al., "Searching for MobileNetV3", ICCV 2019, tables 1 and 2 at 224x224, in
// torchvision's form: excitations squeeze to a quarter, rounded, and have biases.
#include <span>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/families.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize {
namespace {

// A row of the tables: window, channels of the filter and of the result, whether it is excited,
// whether it is hard swish that follows its norms, stride.
struct Row {
  std::int64_t kernel;
  std::int64_t wide;
  std::int64_t channels;
  bool excited;
  bool swish;
  std::int64_t stride;
};

constexpr Row large[] = {{3, 16, 16, false, false, 1},
                         {3, 64, 24, false, false, 2},
                         {3, 72, 24, false, false, 1},
                         {5, 72, 40, true, false, 2},
                         {5, 120, 40, true, false, 1},
                         {5, 120, 40, true, false, 1},
                         {3, 240, 80, false, true, 2},
                         {3, 200, 80, false, true, 1},
                         {3, 184, 80, false, true, 1},
                         {3, 184, 80, false, true, 1},
                         {3, 480, 112, true, true, 1},
                         {3, 672, 112, true, true, 1},
                         {5, 672, 160, true, true, 2},
                         {5, 960, 160, true, true, 1},
                         {5, 960, 160, true, true, 1}};

constexpr Row small[] = {{3, 16, 16, true, false, 2},
                         {3, 72, 24, false, false, 2},
                         {3, 88, 24, false, false, 1},
                         {5, 96, 40, true, true, 2},
                         {5, 240, 40, true, true, 1},
                         {5, 240, 40, true, true, 1},
                         {5, 120, 48, true, true, 1},
                         {5, 144, 48, true, true, 1},
                         {5, 288, 96, true, true, 2},
                         {5, 576, 96, true, true, 1},
                         {5, 576, 96, true, true, 1}};

constexpr float epsilon = 1e-3F;
constexpr auto hard_swish = Activation::hard_swish;

int block(NetworkBuilder& net, const std::string& name, int from, const Row& row) {
  const auto squeezed = rounded_channels(static_cast<double>(row.wide / 4));
  return inverted_residual(
      net,
      name,
      from,
      {.kernel = row.kernel,
       .stride = row.stride,
       .wide = row.wide,
       .channels = row.channels,
       .function = row.swish ? Nonlinearity(hard_swish) : std::nullopt,
       .excitation = {.squeezed = row.excited ? squeezed : 0, .gate = Activation::hard_sigmoid},
       .epsilon = epsilon});
}

// `hidden`: features between the classifier's two layers.
Network make_mobilenet_v3(NetworkBuilder net, std::span<const Row> rows, std::int64_t hidden) {
  int x = convolution_norm_active(
      net, "stem", net.input(), 16, {.kernel = 3, .stride = 2, .pad = 1}, hard_swish, epsilon);
  int number = 0;
  for (const auto& row : rows) {
    x = block(net, fmt::format("block{}", ++number), x, row);
  }
  x = convolution_norm_active(net, "head", x, rows.back().wide, {}, hard_swish, epsilon);
  x = net.fully_connected("fc1", net.global_average_pool("pool", x), hidden);
  x = net.activation("fc1_active", x, hard_swish);
  return net.finish(net.fully_connected("fc2", net.dropout("drop", x, 0.2F), 1000));
}

}  // namespace

Network make_mobilenet_v3_large() {
  return make_mobilenet_v3(
      {"mobilenet-v3-large", "MobileNetV3-Large", {3, 224, 224}, 1000}, large, 1280);
}
Network make_mobilenet_v3_small() {
  return make_mobilenet_v3(
      {"mobilenet-v3-small", "MobileNetV3-Small", {3, 224, 224}, 1000}, small, 1024);
}

}  // namespace rightsize
