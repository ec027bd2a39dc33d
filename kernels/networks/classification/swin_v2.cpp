// Swin V2: Liu et al., "Swin Transformer V2", CVPR 2022, as timm's swin_transformer_v2.py has it:
// norms behind attention and feed-forward parts, queries and keys by their angle, biases by
// distance out of a small network of each block. At other sizes than its own windows are filled up,
// and images of an odd side before four positions become one. That network has no layer (0.1 to 0.6
// % of the parameters), and keys have biases here.
#include <array>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/classification/families.h"
#include "kernels/networks/classification/windows.h"

namespace rightsize {
namespace {

constexpr float epsilon = 1e-5F;

struct SwinV2 {
  const char* name;
  const char* title;
  std::int64_t image;
  std::int64_t window;  // a side
  std::int64_t width;   // of the first stage, whose heads have 32 features as all
  std::array<int, 4> blocks;
};

// Those of windows of 12 come with scores of 21841 classes; here they have 1000 as the others.
constexpr std::array<SwinV2, 11> networks{{
    {"swinv2-tiny-w8", "Swin V2-T, windows of 8", 256, 8, 96, {2, 2, 6, 2}},
    {"swinv2-tiny-w16", "Swin V2-T, windows of 16", 256, 16, 96, {2, 2, 6, 2}},
    {"swinv2-small-w8", "Swin V2-S, windows of 8", 256, 8, 96, {2, 2, 18, 2}},
    {"swinv2-small-w16", "Swin V2-S, windows of 16", 256, 16, 96, {2, 2, 18, 2}},
    {"swinv2-base-w8", "Swin V2-B, windows of 8", 256, 8, 128, {2, 2, 18, 2}},
    {"swinv2-base-w16", "Swin V2-B, windows of 16", 256, 16, 128, {2, 2, 18, 2}},
    {"swinv2-base-w24", "Swin V2-B, windows of 24", 384, 24, 128, {2, 2, 18, 2}},
    {"swinv2-large-w16", "Swin V2-L, windows of 16", 256, 16, 192, {2, 2, 18, 2}},
    {"swinv2-large-w24", "Swin V2-L, windows of 24", 384, 24, 192, {2, 2, 18, 2}},
    {"swinv2-base-w12", "Swin V2-B, windows of 12", 192, 12, 128, {2, 2, 18, 2}},
    {"swinv2-large-w12", "Swin V2-L, windows of 12", 192, 12, 192, {2, 2, 18, 2}},
}};

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
                              .by_angle = true,
                              .filled = whole ? 0 : filled_positions(side, window)};
  int x = window_attention(net, name, from, attention);
  x = net.add(name + "_sum1", {net.layer_norm(name + "_norm1", x, epsilon), from});
  const int y = feed_forward(net, name, x, {.width = 4 * shape.c});
  return net.add(name + "_sum2", {net.layer_norm(name + "_norm2", y, epsilon), x});
}

// Half the size, twice the features.
int merged(NetworkBuilder& net, const std::string& name, std::int64_t side, int from) {
  const auto features = net.shape(from).c;
  int x = net.to_image(name + "_image", from, side, side);
  const Window four{.kernel = 2, .stride = 2, .more_pad = side % 2};
  x = net.convolution(name, x, 2 * features, four, false);
  return net.layer_norm(name + "_norm", net.to_sequence(name + "_sequence", x), epsilon);
}

}  // namespace

Network make_swin_v2(int which, int size) {
  const auto& shape = networks.at(static_cast<std::size_t>(which));
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
  network.notes.emplace_back(
      "windows are so many positions in a row here: as many products, and as many passes over "
      "memory that cut and shift them; what makes the biases of its scores is left out (less than "
      "1 % of the parameters)");
  return network;
}

}  // namespace rightsize
