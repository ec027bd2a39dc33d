#include "kernels/networks/detection/gelan.h"

#include <vector>

namespace rightsize::detection {
namespace {

int rep_conv(NetworkBuilder& net, const std::string& name, int from) {
  const auto channels = net.shape(from).c;
  const int square = norm_conv(net, name + "_3x3", from, channels, {.kernel = 3, .pad = 1});
  const int point = norm_conv(net, name + "_1x1", from, channels);
  return net.activation(name + "_silu", net.add(name + "_sum", {square, point}), Activation::silu);
}

// Half of the channels through bottlenecks, half past them (CSP).
int rep_csp(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t channels, int blocks) {
  const auto inner = channels / 2;
  int x = conv(net, name + "_cv1", from, inner);
  for (int i = 0; i < blocks; ++i) {
    const auto own = name + "_m" + std::to_string(i);
    const int y = conv(net, own + "_cv2", rep_conv(net, own + "_cv1", x), inner, 3);
    x = net.add(own + "_sum", {x, y});
  }
  const int past = conv(net, name + "_cv2", from, inner);
  return conv(net, name + "_cv3", net.concat(name + "_cat", {x, past}), channels);
}

}  // namespace

int elan(NetworkBuilder& net,
         const std::string& name,
         int from,
         std::int64_t channels,
         std::int64_t inner,
         int blocks) {
  const int both = conv(net, name + "_cv1", from, inner);
  int x = net.take_channels(name + "_half", both, inner / 2, inner / 2);
  std::vector<int> joined{both};
  for (const auto* const part : {"_cv2", "_cv3"}) {
    const auto own = name + part;
    x = blocks > 0 ? rep_csp(net, own, x, inner / 2, blocks) : x;
    x = conv(net, own + "_conv", x, inner / 2, 3);
    joined.push_back(x);
  }
  return conv(net, name + "_cv4", net.concat(name + "_cat", joined), channels);
}

int halved_by_halves(NetworkBuilder& net,
                     const std::string& name,
                     int from,
                     std::int64_t channels) {
  const int x = net.average_pool(name + "_mean", from, {.kernel = 2});
  const auto half = net.shape(x).c / 2;
  const int first =
      conv(net, name + "_cv1", net.take_channels(name + "_first", x, 0, half), channels / 2, 3, 2);
  const int second = net.max_pool(name + "_pool",
                                  net.take_channels(name + "_second", x, half, half),
                                  {.kernel = 3, .stride = 2, .pad = 1});
  return net.concat(name + "_cat", {first, conv(net, name + "_cv2", second, channels / 2)});
}

int pooled_elan(NetworkBuilder& net,
                const std::string& name,
                int from,
                std::int64_t channels,
                std::int64_t inner) {
  std::vector<int> joined{conv(net, name + "_cv1", from, inner)};
  for (int i = 1; i <= 3; ++i) {
    joined.push_back(
        net.max_pool(name + "_pool" + std::to_string(i), joined.back(), {.kernel = 5, .pad = 2}));
  }
  return conv(net, name + "_cv5", net.concat(name + "_cat", joined), channels);
}

}  // namespace rightsize::detection
