// VGG: Simonyan, Zisserman, "Very Deep Convolutional Networks for Large-Scale Image Recognition",
// ICLR 2015, configuration D (VGG-16); 138 357 544 parameters.
#include <array>
#include <utility>

#include <fmt/format.h>

#include "kernels/networks/builder.h"
#include "kernels/networks/families.h"

namespace rightsize {

Network make_vgg16() {
  constexpr std::array<std::pair<std::int64_t, int>, 5> stages{
      {{64, 2}, {128, 2}, {256, 3}, {512, 3}, {512, 3}}};
  NetworkBuilder net("vgg16", "VGG-16", {3, 224, 224}, 1000);
  int x = net.input();
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    const auto [channels, depth] = stages[stage];
    for (int i = 1; i <= depth; ++i) {
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

}  // namespace rightsize
