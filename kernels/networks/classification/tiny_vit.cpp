// TinyViT: Wu et al., "TinyViT: Fast Pretraining Distillation for Small Vision Transformers", ECCV
// 2022, as timm's tiny_vit.py has it: a stage of inverted residuals, then attention to windows,
// with a filter of each channel by itself between it and the feed-forward part; at other sizes than
// its own they are filled up. Biases by distance
// have no layer (0.1 % of the parameters). What is learned from 21841 classes has here the scores
// of 1000.
#include <array>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/classification/families.h"
#include "kernels/networks/classification/windows.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize {
namespace {

constexpr float epsilon = 1e-5F;
constexpr std::int64_t head_dim = 32;
constexpr auto function = Activation::gelu;
constexpr std::array<int, 4> depths{2, 2, 6, 2};
constexpr Window halved{.kernel = 3, .stride = 2, .pad = 1};

struct TinyVit {
  const char* name;
  const char* title;
  std::array<std::int64_t, 4> widths;
  std::int64_t image = 224;  // its own, which its windows follow
};

// The order of further_classifiers.cpp.
constexpr std::array<TinyVit, 5> networks{
    {{"tinyvit-5m", "TinyViT-5M", {64, 128, 160, 320}},
     {"tinyvit-11m", "TinyViT-11M", {64, 128, 256, 448}},
     {"tinyvit-21m", "TinyViT-21M", {96, 192, 384, 576}},
     {"tinyvit-21m-384", "TinyViT-21M, 384x384", {96, 192, 384, 576}, 384},
     {"tinyvit-21m-512", "TinyViT-21M, 512x512", {96, 192, 384, 576}, 512}}};

int active(NetworkBuilder& net,
           const std::string& name,
           int from,
           std::int64_t channels,
           Window window = {}) {
  return convolution_norm_active(net, name, from, channels, window, function, epsilon);
}

int convolved(NetworkBuilder& net, const std::string& name, int from) {
  const auto channels = net.shape(from).c;
  const auto wide = 4 * channels;
  int x = active(net, name + "_expand", from, wide);
  x = active(net, name + "_filter", x, wide, {.kernel = 3, .pad = 1, .groups = wide});
  x = convolution_norm(net, name + "_project", x, channels, {}, epsilon);
  return net.activation(name + "_gelu", net.add(name + "_sum", {x, from}), function);
}

int merged(NetworkBuilder& net, const std::string& name, int from, std::int64_t channels) {
  auto filter = halved;
  filter.groups = channels;
  const int x = active(net, name + "_widen", from, channels);
  return convolution_norm(
      net, name, active(net, name + "_filter", x, channels, filter), channels, {}, epsilon);
}

int attended(NetworkBuilder& net, const std::string& name, int from, std::int64_t window) {
  const auto shape = net.shape(from);
  const auto heads = shape.c / head_dim;
  const int sequence = net.to_sequence(name + "_sequence", from);
  int x = net.layer_norm(name + "_norm1", sequence, epsilon);
  x = window != shape.h
          ? window_attention(net,
                             name,
                             x,
                             {.heads = heads,
                              .seen = window * window,
                              .filled = filled_positions(shape.h, window)})
          : self_attention(net, name, x, {.heads = heads, .kv_heads = heads, .head_dim = head_dim});
  x = net.to_image(name + "_image", net.add(name + "_sum1", {x, sequence}), shape.h, shape.w);
  const Window filter{.kernel = 3, .pad = 1, .groups = shape.c};
  x = net.to_sequence(name + "_filtered",
                      convolution_norm(net, name + "_filter", x, shape.c, filter, epsilon));
  const int y = net.layer_norm(name + "_norm2", x, epsilon);
  x = net.add(name + "_sum2", {feed_forward(net, name, y, {.width = 4 * shape.c}), x});
  return net.to_image(name + "_out", x, shape.h, shape.w);
}

}  // namespace

Network make_tiny_vit(int which, int size) {
  const auto& shape = networks.at(static_cast<std::size_t>(which));
  const auto image = asked_side(shape.name, size, shape.image);
  NetworkBuilder net(shape.name, shape.title, {3, image, image}, 1000);
  int x = active(net, "patches1", net.input(), shape.widths[0] / 2, halved);
  x = convolution_norm(net, "patches2", x, shape.widths[0], halved, epsilon);
  for (std::size_t stage = 0; stage < depths.size(); ++stage) {
    if (stage > 0) {
      x = merged(net, fmt::format("merge{}", stage), x, shape.widths[stage]);
    }
    const auto window = shape.image / 32 * (stage == 2 ? 2 : 1);
    for (int i = 1; i <= depths[stage]; ++i) {
      const auto name = fmt::format("stage{}_{}", stage + 1, i);
      x = stage == 0 ? convolved(net, name, x) : attended(net, name, x, window);
    }
  }
  x = net.layer_norm("norm", net.global_average_pool("pool", x), epsilon);
  auto network = net.finish(net.fully_connected("head", x, 1000), Optimizer::adam);
  network.notes.emplace_back(
      "windows are so many positions in a row here: as many products, and as many passes over "
      "memory that cut them; the learned biases of its scores are left out (less than 1 % of the "
      "parameters)");
  return network;
}

}  // namespace rightsize
