// Swin: Liu et al., "Swin Transformer", ICCV 2021, as torchvision has the first three and timm the
// largest. A position attends to its window of 7 x 7, every other time of windows shifted by half;
// here to 49 of its neighbours in a row, as many products and the same layers otherwise. Their
// learned biases by distance, 169 a head, have no layer, and where four positions become one it is
// each that is normalised, not the four: of torchvision's 28 288 354, 49 606 258 and 87 768 224
// parameters 0.1 % less.
#include <array>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/families.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

constexpr float epsilon = 1e-5F;
constexpr std::int64_t window = 7 * 7;

int stage(NetworkBuilder& net, int number, int blocks, std::int64_t heads, int from) {
  const auto shape = net.shape(from);
  const AttentionShape attention{.heads = heads,
                                 .kv_heads = heads,
                                 .head_dim = shape.c / heads,
                                 .window = shape.positions() > window ? window : 0};
  int x = from;
  for (int i = 1; i <= blocks; ++i) {
    x = pre_norm_block(
        net, fmt::format("stage{}_{}", number, i), x, attention, {.width = 4 * shape.c}, epsilon);
  }
  return x;
}

// Half the size, twice the features.
int merged(NetworkBuilder& net, const std::string& name, std::int64_t side, int from) {
  const auto features = net.shape(from).c;
  int x = net.layer_norm(name + "_norm", from, epsilon);
  x = net.to_image(name + "_image", x, side, side);
  x = net.convolution(name, x, 2 * features, {.kernel = 2, .stride = 2}, false);
  return net.to_sequence(name + "_sequence", x);
}

// `width` and `heads` are of the first stage; each next one has twice as many.
Network make_swin(NetworkBuilder net,
                  std::int64_t width,
                  std::int64_t heads,
                  const std::array<int, 4>& blocks) {
  int x = net.convolution("patches", net.input(), width, {.kernel = 4, .stride = 4}, true);
  std::int64_t side = net.shape(x).h;
  x = net.layer_norm("patches_norm", net.to_sequence("sequence", x), epsilon);
  for (int i = 0; i < 4; ++i) {
    if (i > 0) {
      x = merged(net, fmt::format("merge{}", i), side, x);
      side /= 2;
    }
    x = stage(net, i + 1, blocks[static_cast<std::size_t>(i)], heads << i, x);
  }
  x = net.global_average_pool("pool", net.layer_norm("norm", x, epsilon));
  auto network = net.finish(net.fully_connected("head", x, 1000), Optimizer::adam);
  network.notes.emplace_back(
      "windows of 7 x 7 positions are 49 in a row here: as many products; the learned biases of "
      "its scores are left out (0.1 % of the parameters), and so are the passes over memory that "
      "cut windows and shift them: it runs slower than said");
  return network;
}

}  // namespace

Network make_swin_tiny() {
  return make_swin({"swin-tiny", "Swin-T", {3, 224, 224}, 1000}, 96, 3, {2, 2, 6, 2});
}
Network make_swin_small() {
  return make_swin({"swin-small", "Swin-S", {3, 224, 224}, 1000}, 96, 3, {2, 2, 18, 2});
}
Network make_swin_base() {
  return make_swin({"swin-base", "Swin-B", {3, 224, 224}, 1000}, 128, 4, {2, 2, 18, 2});
}
Network make_swin_large() {
  return make_swin({"swin-large", "Swin-L", {3, 224, 224}, 1000}, 192, 6, {2, 2, 18, 2});
}

}  // namespace rightsize
