// GoogLeNet: Szegedy et al., "Going Deeper with Convolutions", CVPR 2015, table 1, in the form of
// Caffe's models/bvlc_googlenet (also NVCaffe's): 224x224 input, biases, no batch normalisation.
// The two auxiliary classifiers are left out: they are dropped at inference, and 6 998 552
// parameters are what is published without them. Caffe rounds pooling sizes up, hence `more_pad`.
#include <string>

#include "kernels/networks/builder.h"
#include "kernels/networks/families.h"

namespace rightsize {
namespace {

constexpr Window halving{.kernel = 3, .stride = 2, .more_pad = 1};  // 112 -> 56 and so on

// Columns of table 1: "#3x3 reduce" is the 1x1 convolution in front of the 3x3 one.
struct Inception {
  const char* name;
  std::int64_t one;
  std::int64_t three_reduce;
  std::int64_t three;
  std::int64_t five_reduce;
  std::int64_t five;
  std::int64_t pool_proj;
};

int conv_relu(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t channels, Window window) {
  return net.relu(name + "_relu", net.convolution(name, from, channels, window, true));
}

int inception(NetworkBuilder& net, int from, const Inception& block) {
  const auto name = std::string("inception_") + block.name;
  const int one = conv_relu(net, name + "_1x1", from, block.one, {});
  int three = conv_relu(net, name + "_3x3_reduce", from, block.three_reduce, {});
  three = conv_relu(net, name + "_3x3", three, block.three, {.kernel = 3, .pad = 1});
  int five = conv_relu(net, name + "_5x5_reduce", from, block.five_reduce, {});
  five = conv_relu(net, name + "_5x5", five, block.five, {.kernel = 5, .pad = 2});
  int pool = net.max_pool(name + "_pool", from, {.kernel = 3, .pad = 1});
  pool = conv_relu(net, name + "_pool_proj", pool, block.pool_proj, {});
  return net.concat(name + "_output", {one, three, five, pool});
}

int stem(NetworkBuilder& net) {
  int x = conv_relu(net, "conv1", net.input(), 64, {.kernel = 7, .stride = 2, .pad = 3});
  x = net.max_pool("pool1", x, halving);
  x = net.local_response_norm("norm1", x);
  x = conv_relu(net, "conv2_reduce", x, 64, {});
  x = conv_relu(net, "conv2", x, 192, {.kernel = 3, .pad = 1});
  x = net.local_response_norm("norm2", x);
  return net.max_pool("pool2", x, halving);
}

}  // namespace

Network make_googlenet() {
  NetworkBuilder net("googlenet", "GoogLeNet", {3, 224, 224}, 1000);
  int x = stem(net);
  x = inception(net, x, {"3a", 64, 96, 128, 16, 32, 32});
  x = inception(net, x, {"3b", 128, 128, 192, 32, 96, 64});
  x = net.max_pool("pool3", x, halving);
  x = inception(net, x, {"4a", 192, 96, 208, 16, 48, 64});
  x = inception(net, x, {"4b", 160, 112, 224, 24, 64, 64});
  x = inception(net, x, {"4c", 128, 128, 256, 24, 64, 64});
  x = inception(net, x, {"4d", 112, 144, 288, 32, 64, 64});
  x = inception(net, x, {"4e", 256, 160, 320, 32, 128, 128});
  x = net.max_pool("pool4", x, halving);
  x = inception(net, x, {"5a", 256, 160, 320, 32, 128, 128});
  x = inception(net, x, {"5b", 384, 192, 384, 48, 128, 128});
  x = net.dropout("drop", net.global_average_pool("pool5", x), 0.4F);
  return net.finish(net.fully_connected("classifier", x, 1000));
}

}  // namespace rightsize
