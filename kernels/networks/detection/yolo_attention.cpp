// What YOLO11 brought: rows of rows of bottlenecks, and attention.
#include <string>

#include "kernels/networks/detection/yolo_blocks.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize::detection {

int c3k2(NetworkBuilder& net,
         const std::string& name,
         int from,
         std::int64_t channels,
         std::int64_t inner,
         int blocks,
         bool deep) {
  return c2f(net, name, from, channels, inner, blocks, [&](auto own, int x) {
    return deep ? c3(net, own, x, inner, 2, 3, true)
                : bottleneck(net, own, x, inner, {inner / 2, 3, true});
  });
}

int norm_conv(NetworkBuilder& net,
              const std::string& name,
              int from,
              std::int64_t channels,
              const Window& window) {
  return convolution_norm(net, name, from, channels, window, 1e-3F);
}

namespace {

// Heads have 32 features of queries and keys, and 64 of values. Attention here has as many of each,
// so that a head is two, with the same queries and keys before either half of the values: numbered
// otherwise, and the scores made twice, which is a three-hundredth of the network's work.
int attended(NetworkBuilder& net, const std::string& name, int from) {
  constexpr std::int64_t head_dim = 32;
  const auto in = net.shape(from);
  const auto keyed = in.c / 2;
  const int qkv = norm_conv(net, name + "_qkv", from, 2 * in.c);
  const int queries = net.take_channels(name + "_q", qkv, 0, keyed);
  const int keys = net.take_channels(name + "_k", qkv, keyed, keyed);
  const int values = net.take_channels(name + "_v", qkv, 2 * keyed, in.c);
  int x = net.concat(name + "_heads", {queries, queries, keys, keys, values});
  const auto heads = in.c / head_dim;
  x = net.attention(
      name + "_attention", net.to_sequence(name + "_sequence", x), {heads, heads, head_dim});
  x = net.to_image(name + "_image", x, in.h, in.w);
  const int placed =
      norm_conv(net, name + "_pe", values, in.c, {.kernel = 3, .pad = 1, .groups = in.c});
  return norm_conv(net, name + "_proj", net.add(name + "_placed", {x, placed}), in.c);
}

}  // namespace

int attention_block(NetworkBuilder& net, const std::string& name, int from) {
  const auto channels = net.shape(from).c;
  const int x = net.add(name + "_sum", {from, attended(net, name, from)});
  const int wide = conv(net, name + "_ffn1", x, 2 * channels);
  return net.add(name + "_ffn_sum", {x, norm_conv(net, name + "_ffn2", wide, channels)});
}

int c2psa(NetworkBuilder& net, const std::string& name, int from, int blocks) {
  const auto channels = net.shape(from).c;
  const auto inner = channels / 2;
  const int both = conv(net, name + "_cv1", from, channels);
  const int past = net.take_channels(name + "_past", both, 0, inner);
  int x = net.take_channels(name + "_half", both, inner, inner);
  for (int i = 0; i < blocks; ++i) {
    x = attention_block(net, name + "_m" + std::to_string(i), x);
  }
  return conv(net, name + "_cv2", net.concat(name + "_cat", {past, x}), channels);
}

}  // namespace rightsize::detection
