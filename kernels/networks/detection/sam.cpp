// SAM's image encoder: Kirillov et al., "Segment Anything", ICCV 2023: a ViT whose blocks attend to
// windows of 14 x 14 positions, but for four that attend to all, at 1024 pixels. It ends in 256
// features of each of 64 x 64 places, which what reads prompts (4 M parameters, a hundredth of the
// work) begins with. Biases by distance have no layer, nor have positions that fill up windows at
// the border.
#include <array>
#include <string>

#include "kernels/networks/classification/windows.h"
#include "kernels/networks/detection/families.h"

namespace rightsize::detection {
namespace {

constexpr float epsilon = 1e-6F;
constexpr std::int64_t patch = 16;
constexpr std::int64_t window = 14;
constexpr int features = 256;

struct Form {
  std::int64_t width;
  int depth;
  std::int64_t heads;
};

constexpr std::array<Form, 3> forms{{{768, 12, 12}, {1024, 24, 16}, {1280, 32, 16}}};

int block(NetworkBuilder& net, const Form& form, const std::string& name, int from, bool whole) {
  const AttentionShape all{
      .heads = form.heads, .kv_heads = form.heads, .head_dim = form.width / form.heads};
  const WindowShape part{.heads = form.heads, .seen = window * window};
  int x = net.layer_norm(name + "_norm1", from, epsilon);
  x = whole ? self_attention(net, name, x, all) : window_attention(net, name, x, part);
  x = net.add(name + "_sum1", {x, from});
  const int y = net.layer_norm(name + "_norm2", x, epsilon);
  return net.add(name + "_sum2", {feed_forward(net, name, y, {.width = 4 * form.width}), x});
}

// A convolution without biases and a norm over channels.
int narrowed(NetworkBuilder& net, const std::string& name, int from, Window kernel) {
  const int x = net.convolution(name, from, features, kernel, false);
  const auto shape = net.shape(x);
  const int y = net.layer_norm(name + "_norm", net.to_sequence(name + "_sequence", x), epsilon);
  return net.to_image(name + "_image", y, shape.h, shape.w);
}

}  // namespace

Network make_sam(const DetectionAsked& asked) {
  const auto& form = forms.at(static_cast<std::size_t>(asked.scale));
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, features);
  int x =
      net.convolution("patches", net.input(), form.width, {.kernel = patch, .stride = patch}, true);
  const auto side = net.shape(x).h;
  x = net.position_embedding("positions", net.to_sequence("sequence", x), side * side);
  for (int i = 1; i <= form.depth; ++i) {
    x = block(net, form, "block" + std::to_string(i), x, i % (form.depth / 4) == 0);
  }
  x = narrowed(net, "neck1", net.to_image("image", x, side, side), {});
  x = narrowed(net, "neck2", x, {.kernel = 3, .pad = 1});
  auto network = net.finish_segmenter(x, Optimizer::adam);
  network.notes.emplace_back(
      "it is the image encoder alone, and ends in 256 features of each place; in training the loss "
      "counts as a softmax over these, as little work; biases by distance, which pass over the "
      "scores of all places four times, are left out: it runs slower than said");
  return network;
}

}  // namespace rightsize::detection
