// DenseNet: Huang et al., "Densely Connected Convolutional Networks", CVPR 2017, table 1: growth
// rate 32, bottlenecks of four times that, and transitions that halve channels and size
// (DenseNet-BC). Norms stand in front of the convolutions; every layer reads all before it.
#include <array>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/builder.h"
#include "kernels/networks/families.h"

namespace rightsize {
namespace {

constexpr std::int64_t growth = 32;

int norm_relu(NetworkBuilder& net, const std::string& name, int from) {
  return net.relu(name + "_relu", net.batch_norm(name + "_bn", from));
}

int norm_relu_conv(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t channels, Window window) {
  return net.convolution(name, norm_relu(net, name, from), channels, window, false);
}

int dense_layer(NetworkBuilder& net, const std::string& name, int from) {
  int x = norm_relu_conv(net, name + "_1x1", from, 4 * growth, {});
  x = norm_relu_conv(net, name + "_3x3", x, growth, {.kernel = 3, .pad = 1});
  return net.concat(name + "_output", {from, x});
}

int transition(NetworkBuilder& net, const std::string& name, int from) {
  const int x = norm_relu_conv(net, name, from, net.shape(from).c / 2, {});
  return net.average_pool(name + "_pool", x, {.kernel = 2, .stride = 2});
}

Network make_densenet(int depth, const std::array<int, 4>& block_layers) {
  NetworkBuilder net(
      fmt::format("densenet{}", depth), fmt::format("DenseNet-{}", depth), {3, 224, 224}, 1000);
  int x = net.convolution(
      "conv1", net.input(), 2 * growth, {.kernel = 7, .stride = 2, .pad = 3}, false);
  x = norm_relu(net, "conv1", x);
  x = net.max_pool("pool1", x, {.kernel = 3, .stride = 2, .pad = 1});
  for (std::size_t block = 0; block < block_layers.size(); ++block) {
    if (block > 0) {
      x = transition(net, fmt::format("transition{}", block), x);
    }
    for (int i = 0; i < block_layers[block]; ++i) {
      x = dense_layer(net, fmt::format("dense{}_{}", block + 1, i + 1), x);
    }
  }
  x = net.global_average_pool("pool5", norm_relu(net, "last", x));
  return net.finish(net.fully_connected("fc", x, 1000));
}

}  // namespace

Network make_densenet121() {
  return make_densenet(121, {6, 12, 24, 16});
}
Network make_densenet169() {
  return make_densenet(169, {6, 12, 32, 32});
}
Network make_densenet201() {
  return make_densenet(201, {6, 12, 48, 32});
}

}  // namespace rightsize
