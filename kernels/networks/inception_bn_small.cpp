// Inception-BN-28-small: the CIFAR-10 network of MXNet's example/image-classification
// (symbol_inception-bn-28-small.py), a small form of Ioffe and Szegedy's Inception (ICML 2015) for
// 28x28 crops. Convolutions keep their biases, as there; MXNet's default epsilon is 1e-3, and its
// pooling rounds sizes up, hence `more_pad`.
#include <string>

#include "kernels/networks/builder.h"
#include "kernels/networks/families.h"

namespace rightsize {
namespace {

int conv(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t channels, Window window) {
  const int x = net.convolution(name, from, channels, window, true);
  return net.relu(name + "_relu", net.batch_norm(name + "_bn", x, 1e-3F));
}

int simple(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t one, std::int64_t three) {
  const int a = conv(net, name + "_1x1", from, one, {});
  const int b = conv(net, name + "_3x3", from, three, {.kernel = 3, .pad = 1});
  return net.concat(name + "_output", {a, b});
}

int downsample(NetworkBuilder& net, const std::string& name, int from, std::int64_t channels) {
  const int a = conv(net, name + "_3x3", from, channels, {.kernel = 3, .stride = 2, .pad = 1});
  const int b = net.max_pool(name + "_max", from, {.kernel = 3, .stride = 2, .more_pad = 1});
  return net.concat(name + "_output", {a, b});
}

}  // namespace

Network make_inception_bn_small() {
  NetworkBuilder net("inception-bn-28-small", "Inception-BN-28-small", {3, 28, 28}, 10);
  int x = conv(net, "conv1", net.input(), 96, {.kernel = 3, .pad = 1});
  x = simple(net, "in3a", x, 32, 32);
  x = simple(net, "in3b", x, 32, 48);
  x = downsample(net, "in3c", x, 80);
  x = simple(net, "in4a", x, 112, 48);
  x = simple(net, "in4b", x, 96, 64);
  x = simple(net, "in4c", x, 80, 80);
  x = simple(net, "in4d", x, 48, 96);
  x = downsample(net, "in4e", x, 96);
  x = simple(net, "in5a", x, 176, 160);
  x = simple(net, "in5b", x, 176, 160);
  x = net.global_average_pool("global_pool", x);
  return net.finish(net.fully_connected("fc1", x, 10));
}

}  // namespace rightsize
