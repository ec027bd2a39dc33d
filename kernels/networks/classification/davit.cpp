// DaViT: Ding et al., "DaViT: Dual Attention Vision Transformers", ECCV 2022, as timm's davit.py
// has it. Blocks come in pairs: positions attend to their window of 7 x 7, and then channels to the
// 32 of their group over all positions. The second is here attention of positions to 32 others: as
// many products. In front of either part each channel is filtered by itself, and added. At other
// sizes than 224 windows are filled up, and so are images of an odd side before they are halved.
#include <array>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/classification/families.h"
#include "kernels/networks/classification/windows.h"

namespace rightsize {
namespace {

constexpr float epsilon = 1e-5F;
constexpr std::int64_t window = 7;
constexpr std::int64_t head_dim = 32;

struct DaVit {
  const char* name;
  const char* title;
  std::int64_t width;  // of the first stage
  std::array<int, 4> pairs;
};

// The order of further_classifiers.cpp.
constexpr std::array<DaVit, 4> networks{{{"davit-tiny", "DaViT-T", 96, {1, 1, 3, 1}},
                                         {"davit-small", "DaViT-S", 96, {1, 1, 9, 1}},
                                         {"davit-base", "DaViT-B", 128, {1, 1, 9, 1}},
                                         {"davit-large", "DaViT-L", 192, {1, 1, 9, 1}}}};

// What a filter of each channel makes, added.
int placed(NetworkBuilder& net, const std::string& name, int from, std::int64_t side) {
  const auto channels = net.shape(from).c;
  const int image = net.to_image(name + "_image", from, side, side);
  const Window filter{.kernel = 3, .pad = 1, .groups = channels};
  const int x =
      net.add(name, {net.convolution(name + "_filter", image, channels, filter, true), image});
  return net.to_sequence(name + "_sequence", x);
}

int block(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t side, bool channels) {
  const auto width = net.shape(from).c;
  const auto heads = width / head_dim;
  int x = placed(net, name + "_places1", from, side);
  const int normed = net.layer_norm(name + "_norm1", x, epsilon);
  const AttentionShape grouped{.heads = heads,
                               .kv_heads = heads,
                               .head_dim = head_dim,
                               .rotary_base = unwritten_base,
                               .window = head_dim + 1};
  const int seen = channels ? self_attention(net, name, normed, grouped)
                            : window_attention(net,
                                               name,
                                               normed,
                                               {.heads = heads,
                                                .seen = window * window,
                                                .written = false,
                                                .filled = filled_positions(side, window)});
  x = placed(net, name + "_places2", net.add(name + "_sum1", {seen, x}), side);
  const int y = net.layer_norm(name + "_norm2", x, epsilon);
  return net.add(name + "_sum2", {feed_forward(net, name, y, {.width = 4 * width}), x});
}

// Half the size, twice the features.
int merged(NetworkBuilder& net, const std::string& name, std::int64_t side, int from) {
  const auto features = net.shape(from).c;
  int x = net.layer_norm(name + "_norm", from, epsilon);
  x = net.to_image(name + "_image", x, side, side);
  const Window four{.kernel = 2, .stride = 2, .more_pad = side % 2};
  x = net.convolution(name, x, 2 * features, four, true);
  return net.to_sequence(name + "_sequence", x);
}

}  // namespace

Network make_davit(int which, int size) {
  const auto& shape = networks.at(static_cast<std::size_t>(which));
  const auto image = asked_side(shape.name, size, 224);
  NetworkBuilder net(shape.name, shape.title, {3, image, image}, 1000);
  const Window patches{.kernel = 7, .stride = 4, .pad = 3};
  int x = net.convolution("patches", net.input(), shape.width, patches, true);
  std::int64_t side = net.shape(x).h;
  x = net.layer_norm("patches_norm", net.to_sequence("sequence", x), epsilon);
  for (std::size_t stage = 0; stage < shape.pairs.size(); ++stage) {
    if (stage > 0) {
      x = merged(net, fmt::format("merge{}", stage), side, x);
      side = (side + 1) / 2;
    }
    for (int i = 1; i <= shape.pairs[stage]; ++i) {
      const auto name = fmt::format("stage{}_{}", stage + 1, i);
      x = block(net, name + "_space", x, side, false);
      x = block(net, name + "_channels", x, side, true);
    }
  }
  x = net.layer_norm("norm", net.global_average_pool("pool", x), epsilon);
  auto network = net.finish(net.fully_connected("head", x, 1000), Optimizer::adam);
  network.notes.emplace_back(
      "windows are so many positions in a row here, and channels that attend to channels positions "
      "that attend to as many: as many products");
  return network;
}

}  // namespace rightsize
