// VGG: Simonyan, Zisserman, "Very Deep Convolutional Networks for Large-Scale Image Recognition",
// ICLR 2015, table 1: configurations A (VGG-11), D (VGG-16) and E (VGG-19); 132 863 336, 138 357
// 544 and 143 667 240 parameters.
#include <array>

#include <fmt/format.h>

#include "kernels/networks/builder.h"
#include "kernels/networks/families.h"

namespace rightsize {
namespace {

constexpr std::array<std::int64_t, 5> widths{64, 128, 256, 512, 512};

// `depths`: convolutions of each stage.
Network make_vgg(int number, const std::array<int, 5>& depths) {
  NetworkBuilder net(
      fmt::format("vgg{}", number), fmt::format("VGG-{}", number), {3, 224, 224}, 1000);
  int x = net.input();
  for (std::size_t stage = 0; stage < depths.size(); ++stage) {
    const auto channels = widths[stage];
    for (int i = 1; i <= depths[stage]; ++i) {
      const auto name = fmt::format("{}_{}", stage + 1, i);
      x = net.convolution("conv" + name, x, channels, {.kernel = 3, .pad = 1}, true);
      x = net.relu("relu" + name, x);
    }
    x = net.max_pool(fmt::format("pool{}", stage + 1), x, {.kernel = 2, .stride = 2});
  }
  for (const char* name : {"6", "7"}) {
    x = net.fully_connected(fmt::format("fc{}", name), x, 4096);
    x = net.relu(fmt::format("relu{}", name), x);
    x = net.dropout(fmt::format("drop{}", name), x, 0.5F);
  }
  x = net.fully_connected("fc8", x, 1000);
  return net.finish(x);
}

}  // namespace

Network make_vgg11() {
  return make_vgg(11, {1, 1, 2, 2, 2});
}
Network make_vgg16() {
  return make_vgg(16, {2, 2, 3, 3, 3});
}
Network make_vgg19() {
  return make_vgg(19, {2, 2, 4, 4, 4});
}

}  // namespace rightsize
