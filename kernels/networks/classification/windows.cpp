#include "kernels/networks/classification/windows.h"

#include <fmt/format.h>

namespace rightsize {
namespace {

int copied(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t groups, int copies) {
  int x = from;
  for (int i = 1; i <= copies; ++i) {
    x = net.shuffle_channels(fmt::format("{}{}", name, i), x, groups);
  }
  return x;
}

// Queries and keys each divided by their length; values go past.
int normalised(NetworkBuilder& net, const std::string& name, int from, std::int64_t heads) {
  const auto width = net.shape(from).c / 3;
  const int turned = net.take_channels(name + "_qk", from, 0, 2 * width);
  const int values = net.take_channels(name + "_v", from, 2 * width, width);
  return net.concat(name + "_heads", {net.head_norm(name + "_angles", turned, 2 * heads), values});
}

}  // namespace

int window_attention(NetworkBuilder& net,
                     const std::string& name,
                     int from,
                     const WindowShape& shape) {
  const auto in = net.shape(from);
  const auto odd = shape.seen / 2 * 2 + 1;
  const AttentionShape attention{.heads = shape.heads,
                                 .kv_heads = shape.heads,
                                 .head_dim = in.c / shape.heads,
                                 .rotary_base = shape.written ? 0 : unwritten_base,
                                 .window = in.positions() > shape.seen ? odd : 0};
  int x = copied(net, name + "_cut", from, shape.heads, 2 * shape.copies);  // in FP32
  x = net.linear(name + "_qkv", x, 3 * in.c, true);
  x = shape.by_angle ? normalised(net, name, x, shape.heads) : x;
  x = net.attention(name + "_attention", x, attention);
  x = net.linear(name + "_projection", x, in.c, true);
  return copied(net, name + "_joined", x, shape.heads, shape.copies);
}

}  // namespace rightsize
