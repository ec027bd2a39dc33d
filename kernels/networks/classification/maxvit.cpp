// MaxViT: Tu et al., "MaxViT: Multi-Axis Vision Transformer", ECCV 2022, as timm's maxxvit.py has
// its authors' networks, windows being a thirty-second of the image a side. A block is an inverted
// residual with an excitation, attention to the window a position is in and attention to as many
// positions spread over the image. Biases by distance, 169 a head, have no layer (0.1 % of the
// parameters).
#include <array>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/classification/families.h"
#include "kernels/networks/classification/windows.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize {
namespace {

constexpr float norm_epsilon = 1e-3F;
constexpr float epsilon = 1e-5F;
constexpr auto function = Activation::gelu_tanh;

struct MaxVit {
  const char* name;
  const char* title;
  std::int64_t image;
  std::int64_t stem;
  std::int64_t width;  // of the first stage; each next one has twice as many
  std::array<int, 4> blocks;
};

// The order of classifiers.cpp.
constexpr std::array<MaxVit, 12> networks{{
    {"maxvit-tiny", "MaxViT-T", 224, 64, 64, {2, 2, 5, 2}},
    {"maxvit-small", "MaxViT-S", 224, 64, 96, {2, 2, 5, 2}},
    {"maxvit-base", "MaxViT-B", 224, 64, 96, {2, 6, 14, 2}},
    {"maxvit-large", "MaxViT-L", 224, 128, 128, {2, 6, 14, 2}},
    {"maxvit-tiny-384", "MaxViT-T, 384x384", 384, 64, 64, {2, 2, 5, 2}},
    {"maxvit-small-384", "MaxViT-S, 384x384", 384, 64, 96, {2, 2, 5, 2}},
    {"maxvit-base-384", "MaxViT-B, 384x384", 384, 64, 96, {2, 6, 14, 2}},
    {"maxvit-large-384", "MaxViT-L, 384x384", 384, 128, 128, {2, 6, 14, 2}},
    {"maxvit-tiny-512", "MaxViT-T, 512x512", 512, 64, 64, {2, 2, 5, 2}},
    {"maxvit-small-512", "MaxViT-S, 512x512", 512, 64, 96, {2, 2, 5, 2}},
    {"maxvit-base-512", "MaxViT-B, 512x512", 512, 64, 96, {2, 6, 14, 2}},
    {"maxvit-large-512", "MaxViT-L, 512x512", 512, 128, 128, {2, 6, 14, 2}},
}};

// Widened from what goes out, filtered, excited, narrowed; a shortcut that averages.
int convolved(NetworkBuilder& net,
              const std::string& name,
              int from,
              std::int64_t channels,
              std::int64_t stride) {
  const auto wide = 4 * channels;
  int x = net.batch_norm(name + "_norm", from, norm_epsilon);
  x = convolution_norm_active(net, name + "_expand", x, wide, {}, function, norm_epsilon);
  const Window filter{.kernel = 3, .stride = stride, .pad = 1, .groups = wide};
  x = convolution_norm_active(net, name + "_depthwise", x, wide, filter, function, norm_epsilon);
  x = squeeze_and_excite(net, name, x, {.squeezed = channels / 4, .between = Activation::silu});
  x = net.convolution(name + "_project", x, channels, {}, true);
  int shortcut = from;
  if (stride > 1) {
    shortcut = net.average_pool(name + "_pool", shortcut, {.kernel = stride, .stride = stride});
  }
  if (net.shape(shortcut).c != channels) {
    shortcut = net.convolution(name + "_shortcut", shortcut, channels, {}, true);
  }
  return net.add(name + "_sum", {x, shortcut});
}

int attended(NetworkBuilder& net, const std::string& name, int from, std::int64_t window) {
  const auto width = net.shape(from).c;
  const WindowShape attention{.heads = width / 32, .seen = window * window};
  int x = net.layer_norm(name + "_norm1", from, epsilon);
  x = net.add(name + "_sum1", {window_attention(net, name, x, attention), from});
  const int y = net.layer_norm(name + "_norm2", x, epsilon);
  const FeedForward fed{.width = 4 * width, .activation = function};
  return net.add(name + "_sum2", {feed_forward(net, name, y, fed), x});
}

int block(NetworkBuilder& net,
          const std::string& name,
          int from,
          std::int64_t channels,
          std::int64_t stride,
          std::int64_t window) {
  int x = convolved(net, name, from, channels, stride);
  const auto side = net.shape(x).h;
  x = net.to_sequence(name + "_sequence", x);
  x = attended(net, name + "_window", x, window);
  x = attended(net, name + "_grid", x, window);
  return net.to_image(name + "_image", x, side, side);
}

}  // namespace

Network make_maxvit(int which, int size) {
  const auto& shape = networks.at(static_cast<std::size_t>(which));
  const auto image = asked_side(shape.name, size, shape.image, 32);
  NetworkBuilder net(shape.name, shape.title, {3, image, image}, 1000);
  int x =
      net.convolution("stem1", net.input(), shape.stem, {.kernel = 3, .stride = 2, .pad = 1}, true);
  x = net.activation("stem1_active", net.batch_norm("stem1_bn", x, norm_epsilon), function);
  x = net.convolution("stem2", x, shape.stem, {.kernel = 3, .pad = 1}, true);
  for (std::size_t stage = 0; stage < shape.blocks.size(); ++stage) {
    for (int i = 0; i < shape.blocks[stage]; ++i) {
      const auto name = fmt::format("stage{}_{}", stage + 1, i + 1);
      x = block(net, name, x, shape.width << stage, i == 0 ? 2 : 1, image / 32);
    }
  }
  x = net.layer_norm("norm", net.global_average_pool("pool", x), epsilon);
  x = net.fully_connected("hidden", x, net.shape(x).c);
  x = net.fully_connected("head", net.activation("hidden_tanh", x, Activation::tanh), 1000);
  auto network = net.finish(x, Optimizer::adam);
  network.notes.emplace_back(
      "windows, and positions spread over the image, are as many in a row here: as many products, "
      "and as many passes over memory that cut them; the learned biases of its scores are left out "
      "(less than 1 % of the parameters)");
  return network;
}

}  // namespace rightsize
