// Inception with batch normalisation: Ioffe and Szegedy, "Batch Normalization", ICML 2015, figure
// 5, in the form of MXNet's symbol_inception-bn.py (also Caffe's bn_inception): 224x224 input,
// convolutions keep their biases, epsilon 1e-3, pooling sizes rounded up, hence `more_pad`;
// 11 295 240 parameters.
#include <string>

#include "kernels/networks/builder.h"
#include "kernels/networks/families.h"

namespace rightsize {
namespace {

constexpr Window halving{.kernel = 3, .stride = 2, .more_pad = 1};

int conv(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t channels, Window window) {
  const int x = net.convolution(name, from, channels, window, true);
  return net.relu(name + "_relu", net.batch_norm(name + "_bn", x, 1e-3F));
}

// Columns of figure 5; the 5x5 convolutions of GoogLeNet are two of 3x3.
struct Inception {
  const char* name;
  std::int64_t one;
  std::int64_t three_reduce;
  std::int64_t three;
  std::int64_t double_reduce;
  std::int64_t double_three;
  std::int64_t pool_proj;
};

int inception(NetworkBuilder& net, int from, const Inception& block, bool average = true) {
  const std::string name = std::string("in") + block.name;
  const Window same{.kernel = 3, .pad = 1};
  const int one = conv(net, name + "_1x1", from, block.one, {});
  int three = conv(net, name + "_3x3_reduce", from, block.three_reduce, {});
  three = conv(net, name + "_3x3", three, block.three, same);
  int twice = conv(net, name + "_double_reduce", from, block.double_reduce, {});
  twice = conv(net, name + "_double_1", twice, block.double_three, same);
  twice = conv(net, name + "_double_2", twice, block.double_three, same);
  int pool = average ? net.average_pool(name + "_pool", from, same)
                     : net.max_pool(name + "_pool", from, same);
  pool = conv(net, name + "_pool_proj", pool, block.pool_proj, {});
  return net.concat(name + "_output", {one, three, twice, pool});
}

// Halves height and width: strides in the last convolutions, pooling passed on.
int reduction(NetworkBuilder& net, int from, const Inception& block) {
  const std::string name = std::string("in") + block.name;
  const Window strided{.kernel = 3, .stride = 2, .pad = 1};
  int three = conv(net, name + "_3x3_reduce", from, block.three_reduce, {});
  three = conv(net, name + "_3x3", three, block.three, strided);
  int twice = conv(net, name + "_double_reduce", from, block.double_reduce, {});
  twice = conv(net, name + "_double_1", twice, block.double_three, {.kernel = 3, .pad = 1});
  twice = conv(net, name + "_double_2", twice, block.double_three, strided);
  return net.concat(name + "_output", {three, twice, net.max_pool(name + "_pool", from, halving)});
}

}  // namespace

Network make_inception_bn() {
  NetworkBuilder net("inception-bn", "Inception-BN", {3, 224, 224}, 1000);
  int x = conv(net, "conv1", net.input(), 64, {.kernel = 7, .stride = 2, .pad = 3});
  x = net.max_pool("pool1", x, halving);
  x = conv(net, "conv2_reduce", x, 64, {});
  x = conv(net, "conv2", x, 192, {.kernel = 3, .pad = 1});
  x = net.max_pool("pool2", x, halving);
  x = inception(net, x, {"3a", 64, 64, 64, 64, 96, 32});
  x = inception(net, x, {"3b", 64, 64, 96, 64, 96, 64});
  x = reduction(net, x, {"3c", 0, 128, 160, 64, 96, 0});
  x = inception(net, x, {"4a", 224, 64, 96, 96, 128, 128});
  x = inception(net, x, {"4b", 192, 96, 128, 96, 128, 128});
  x = inception(net, x, {"4c", 160, 128, 160, 128, 160, 128});
  x = inception(net, x, {"4d", 96, 128, 192, 160, 192, 128});
  x = reduction(net, x, {"4e", 0, 128, 192, 192, 256, 0});
  x = inception(net, x, {"5a", 352, 192, 320, 160, 224, 128});
  x = inception(net, x, {"5b", 352, 192, 320, 192, 224, 128}, false);
  x = net.global_average_pool("global_pool", x);
  return net.finish(net.fully_connected("fc1", x, 1000));
}

}  // namespace rightsize
