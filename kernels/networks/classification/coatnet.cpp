// CoAtNet: Dai et al., "CoAtNet: Marrying Convolution and Attention for All Data Sizes", NeurIPS
// 2021, as timm's maxxvit.py has it: two stages of inverted residuals with excitations, two of
// attention to all positions. Its own variants ("rw") widen from what comes in and have no biases
// there. Biases by distance have no layer, nor has the small network that makes them ("rmlp"), nor
// has layer scale (0.1 % of the parameters).
#include <array>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/classification/families.h"
#include "kernels/networks/image_blocks.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

constexpr float norm_epsilon = 1e-5F;
constexpr float epsilon = 1e-6F;
constexpr std::int64_t head_dim = 32;

// As timm's authors trained it: `early`: an excitation in front of the norm.
struct Rw {
  bool is = false;
  bool pools = false;  // a half of the size by pooling in front of all, not by the filter
  bool early = false;
  bool shortcut_bias = true;  // of attention's
  bool largest = false;       // pools by the largest of nine, not by the mean of four
};

struct CoAtNet {
  const char* name;
  const char* title;
  std::array<std::int64_t, 2> stem;
  std::int64_t width;  // of the first stage
  std::array<int, 4> blocks;
  Rw rw = {};
};

// The order of further_classifiers.cpp.
constexpr std::array<CoAtNet, 11> networks{
    {{"coatnet-0", "CoAtNet-0", {64, 64}, 96, {2, 3, 5, 2}},
     {"coatnet-1", "CoAtNet-1", {64, 64}, 96, {2, 6, 14, 2}},
     {"coatnet-2", "CoAtNet-2", {128, 128}, 128, {2, 6, 14, 2}},
     {"coatnet-3", "CoAtNet-3", {192, 192}, 192, {2, 6, 14, 2}},
     {"coatnet-4", "CoAtNet-4", {192, 192}, 192, {2, 12, 28, 2}},
     {"coatnet-0-rw", "CoAtNet-0 of timm", {32, 64}, 96, {2, 3, 7, 2}, {true, true, true, false}},
     {"coatnet-1-rw", "CoAtNet-1 of timm", {32, 64}, 96, {2, 6, 14, 2}, {true, false, true, false}},
     {"coatnet-2-rw", "CoAtNet-2 of timm", {64, 128}, 128, {2, 6, 14, 2}, {true}},
     {"coatnet-3-rw", "CoAtNet-3 of timm", {96, 192}, 192, {2, 6, 14, 2}, {true}},
     {"coatnet-rmlp-1-rw",
      "CoAtNet-1 of timm, MLP",
      {32, 64},
      96,
      {2, 6, 14, 2},
      {true, true, true, false, true}},
     {"coatnet-rmlp-2-rw", "CoAtNet-2 of timm, MLP", {64, 128}, 128, {2, 6, 14, 2}, {true}}}};

int pooled(NetworkBuilder& net, const std::string& name, int from, const Rw& rw) {
  return rw.largest ? net.max_pool(name, from, {.kernel = 3, .stride = 2, .pad = 1})
                    : net.average_pool(name, from, {.kernel = 2, .stride = 2});
}

// Half the side, and as many channels as are asked for.
int smaller(NetworkBuilder& net,
            const std::string& name,
            int from,
            std::int64_t channels,
            const Rw& rw,
            bool bias) {
  const int x = pooled(net, name + "_pool", from, rw);
  return net.shape(x).c == channels ? x : net.convolution(name, x, channels, {}, bias);
}

int filtered(NetworkBuilder& net,
             const std::string& name,
             int from,
             std::int64_t stride,
             const Excitation& excitation,
             const Rw& rw) {
  const auto wide = net.shape(from).c;
  const auto function = rw.is ? Activation::silu : Activation::gelu;
  const Window window{.kernel = 3, .stride = stride, .pad = 1, .groups = wide};
  int x = net.convolution(name + "_filter", from, wide, window, false);
  x = rw.early ? squeeze_and_excite(net, name, x, excitation) : x;
  x = net.batch_norm(name + "_filter_bn", x, norm_epsilon);
  x = net.activation(name + "_filter_active", x, function);
  return rw.early ? x : squeeze_and_excite(net, name, x, excitation);
}

int convolved(NetworkBuilder& net,
              const std::string& name,
              int from,
              std::int64_t channels,
              bool halves,
              const Rw& rw) {
  const auto function = rw.is ? Activation::silu : Activation::gelu;
  const auto of = rw.is ? net.shape(from).c : channels;
  int x = net.batch_norm(name + "_norm", from, norm_epsilon);
  x = rw.is ? net.activation(name + "_active", x, function) : x;
  const bool pools = halves && rw.pools;
  x = pools ? smaller(net, name + "_smaller", x, net.shape(x).c, rw, false) : x;
  x = convolution_norm_active(net, name + "_expand", x, 4 * of, {}, function, norm_epsilon);
  Excitation excitation{.squeezed = rw.is ? of : channels / 4};
  if (!rw.early) {
    excitation.between = Activation::silu;
  }
  x = filtered(net, name, x, halves && !pools ? 2 : 1, excitation, rw);
  x = net.convolution(name + "_project", x, channels, {}, !rw.is);
  const int shortcut = halves ? smaller(net, name + "_shortcut", from, channels, rw, !rw.is) : from;
  return net.add(name + "_sum", {x, shortcut});
}

int attended(NetworkBuilder& net,
             const std::string& name,
             int from,
             std::int64_t channels,
             bool halves,
             const Rw& rw) {
  const auto in = net.shape(from);
  int x = net.layer_norm(name + "_norm1", net.to_sequence(name + "_sequence", from), epsilon);
  int shortcut = from;
  if (halves) {
    x = pooled(net, name + "_pool", net.to_image(name + "_image", x, in.h, in.w), rw);
    x = net.to_sequence(name + "_smaller", x);
    shortcut = smaller(net, name + "_shortcut", from, channels, rw, rw.shortcut_bias);
  }
  const auto side = net.shape(shortcut).h;
  const auto width = rw.is ? in.c : channels;  // of queries, keys and values
  const auto heads = width / head_dim;
  x = net.linear(name + "_qkv", x, 3 * width, true);
  x = net.attention(
      name + "_attention", x, {.heads = heads, .kv_heads = heads, .head_dim = head_dim});
  x = net.linear(name + "_projection", x, channels, true);
  x = net.add(name + "_sum1", {x, net.to_sequence(name + "_shortcut_sequence", shortcut)});
  const int y = net.layer_norm(name + "_norm2", x, epsilon);
  x = net.add(name + "_sum2", {feed_forward(net, name, y, {.width = 4 * channels}), x});
  return net.to_image(name + "_out", x, side, side);
}

int head(NetworkBuilder& net, int from, const Rw& rw) {
  int x = net.to_sequence("sequence", from);
  if (rw.is) {
    x = net.global_average_pool("pool", net.layer_norm("norm", x, epsilon));
  } else {
    x = net.layer_norm("norm", net.global_average_pool("pool", x), epsilon);
    x = net.fully_connected("hidden", x, net.shape(x).c);
    x = net.activation("hidden_tanh", x, Activation::tanh);
  }
  return net.fully_connected("head", x, 1000);
}

}  // namespace

Network make_coatnet(int which) {
  const auto& shape = networks.at(static_cast<std::size_t>(which));
  NetworkBuilder net(shape.name, shape.title, {3, 224, 224}, 1000);
  const Window halved{.kernel = 3, .stride = 2, .pad = 1};
  int x = convolution_norm_active(
      net, "stem1", net.input(), shape.stem[0], halved, Activation::gelu, norm_epsilon);
  x = net.convolution("stem2", x, shape.stem[1], {.kernel = 3, .pad = 1}, false);
  for (std::size_t stage = 0; stage < shape.blocks.size(); ++stage) {
    for (int i = 0; i < shape.blocks[stage]; ++i) {
      const auto name = fmt::format("stage{}_{}", stage + 1, i + 1);
      const auto make = stage < 2 ? convolved : attended;
      x = make(net, name, x, shape.width << stage, i == 0, shape.rw);
    }
  }
  auto network = net.finish(head(net, x, shape.rw), Optimizer::adam);
  network.notes.emplace_back(
      "the learned biases of its scores are left out (less than 1 % of the parameters)");
  return network;
}

}  // namespace rightsize
