#include "kernels/networks/classification/windows.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "kernels/networks/form_parts.h"

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

// Positions of zeros behind those there are; here copies of these, which as many bytes are.
int filled(NetworkBuilder& net, const std::string& name, int from, std::int64_t positions) {
  const auto has = net.shape(from).positions();
  std::vector<int> parts{from};
  for (auto missing = positions - has; missing > 0; missing -= has) {
    const auto part = std::min(missing, has);
    parts.push_back(part == has ? from : net.take_positions(name + "_filling", from, 0, part));
  }
  return net.join_positions(name + "_filled", parts);
}

}  // namespace

std::int64_t filled_positions(std::int64_t side, std::int64_t window) {
  const auto whole = (side + window - 1) / window * window;
  return whole * whole;
}

std::int64_t asked_side(const char* name, int size, std::int64_t usual, std::int64_t step) {
  const std::int64_t side = size > 0 ? size : usual;
  if (side % step == 0) {
    return side;
  }
  const auto below = side / step * step;
  refuse_form(fmt::format("{}:size={}", name, side),
              fmt::format("windows divide images whose sides are multiples of {} alone; the next "
                          "are {}size={}",
                          step,
                          below > 0 ? fmt::format("size={} and ", below) : "",
                          below + step));
}

int window_attention(NetworkBuilder& net,
                     const std::string& name,
                     int from,
                     const WindowShape& shape) {
  const auto in = net.shape(from);
  const auto positions = std::max(shape.filled, in.positions());
  const auto odd = shape.seen / 2 * 2 + 1;
  const AttentionShape attention{.heads = shape.heads,
                                 .kv_heads = shape.heads,
                                 .head_dim = in.c / shape.heads,
                                 .rotary_base = shape.written ? 0 : unwritten_base,
                                 .window = positions > shape.seen ? odd : 0};
  const bool fills = positions > in.positions();
  int x = fills ? filled(net, name, from, positions) : from;
  x = copied(net, name + "_cut", x, shape.heads, 2 * shape.copies);  // in FP32
  x = net.linear(name + "_qkv", x, 3 * in.c, true);
  x = shape.by_angle ? normalised(net, name, x, shape.heads) : x;
  x = net.attention(name + "_attention", x, attention);
  x = net.linear(name + "_projection", x, in.c, true);
  x = copied(net, name + "_joined", x, shape.heads, shape.copies);
  return fills ? net.take_positions(name + "_taken_off", x, 0, in.positions()) : x;
}

}  // namespace rightsize
