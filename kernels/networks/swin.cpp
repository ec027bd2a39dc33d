// Swin: Liu et al., "Swin Transformer", ICCV 2021, as torchvision has the first three and timm the
// others. At other sizes than its own windows are filled up, and images of an odd side before four
// positions become one. A position attends to its window of 7 x 7 (of 12 x 12 where images are of
// 384 pixels), every other time of windows shifted by half; here to as many of its neighbours in a
// row, as many products and the same layers otherwise. Their learned biases by distance, 169 a
// head, have no layer, and where four positions become one it is each that is normalised, not the
// four: of torchvision's 28 288 354, 49 606 258 and 87 768 224 parameters 0.1 % less.
#include <array>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/classification/families.h"
#include "kernels/networks/classification/windows.h"
#include "kernels/networks/families.h"

namespace rightsize {
namespace {

constexpr float epsilon = 1e-5F;

struct Swin {
  const char* name;
  const char* title;
  std::int64_t width;  // of the first stage, whose heads have 32 features as all
  std::array<int, 4> blocks;
  std::int64_t image = 224;
  std::int64_t window = 7;  // a side
};

int block(NetworkBuilder& net,
          const std::string& name,
          int from,
          std::int64_t side,
          std::int64_t window,
          bool shifted) {
  const auto shape = net.shape(from);
  const bool whole = side <= window;
  const WindowShape attention{.heads = shape.c / 32,
                              .seen = window * window,
                              .copies = shifted && !whole ? 2 : 1,
                              .filled = whole ? 0 : filled_positions(side, window)};
  int x = net.layer_norm(name + "_norm1", from, epsilon);
  x = net.add(name + "_sum1", {window_attention(net, name, x, attention), from});
  const int y = net.layer_norm(name + "_norm2", x, epsilon);
  return net.add(name + "_sum2", {feed_forward(net, name, y, {.width = 4 * shape.c}), x});
}

// Half the size, twice the features.
int merged(NetworkBuilder& net, const std::string& name, std::int64_t side, int from) {
  const auto features = net.shape(from).c;
  int x = net.layer_norm(name + "_norm", from, epsilon);
  x = net.to_image(name + "_image", x, side, side);
  const Window four{.kernel = 2, .stride = 2, .more_pad = side % 2};
  x = net.convolution(name, x, 2 * features, four, false);
  return net.to_sequence(name + "_sequence", x);
}

Network make_swin(const Swin& shape, int size) {
  const auto image = asked_side(shape.name, size, shape.image);
  NetworkBuilder net(shape.name, shape.title, {3, image, image}, 1000);
  int x = net.convolution("patches", net.input(), shape.width, {.kernel = 4, .stride = 4}, true);
  std::int64_t side = net.shape(x).h;
  x = net.layer_norm("patches_norm", net.to_sequence("sequence", x), epsilon);
  for (std::size_t stage = 0; stage < shape.blocks.size(); ++stage) {
    if (stage > 0) {
      x = merged(net, fmt::format("merge{}", stage), side, x);
      side = (side + 1) / 2;
    }
    for (int i = 0; i < shape.blocks[stage]; ++i) {
      x = block(
          net, fmt::format("stage{}_{}", stage + 1, i + 1), x, side, shape.window, i % 2 == 1);
    }
  }
  x = net.global_average_pool("pool", net.layer_norm("norm", x, epsilon));
  auto network = net.finish(net.fully_connected("head", x, 1000), Optimizer::adam);
  network.notes.push_back(fmt::format(
      "windows of {0} x {0} positions are {1} in a row here: as many products, and as many passes "
      "over memory that cut and shift them; the learned biases of its scores are left out (less "
      "than 0.3 % of the parameters)",
      shape.window,
      shape.window * shape.window));
  return network;
}

}  // namespace

Network make_swin_tiny(int size) {
  return make_swin({"swin-tiny", "Swin-T", 96, {2, 2, 6, 2}}, size);
}
Network make_swin_small(int size) {
  return make_swin({"swin-small", "Swin-S", 96, {2, 2, 18, 2}}, size);
}
Network make_swin_base(int size) {
  return make_swin({"swin-base", "Swin-B", 128, {2, 2, 18, 2}}, size);
}
Network make_swin_large(int size) {
  return make_swin({"swin-large", "Swin-L", 192, {2, 2, 18, 2}}, size);
}

Network make_swin(int which, int size) {
  constexpr std::array<Swin, 2> larger{{
      {"swin-base-384", "Swin-B, 384x384", 128, {2, 2, 18, 2}, 384, 12},
      {"swin-large-384", "Swin-L, 384x384", 192, {2, 2, 18, 2}, 384, 12},
  }};
  return make_swin(larger.at(static_cast<std::size_t>(which)), size);
}

}  // namespace rightsize
