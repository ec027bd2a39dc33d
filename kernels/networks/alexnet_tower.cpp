// AlexNet without the split over two GPUs, in the two forms that published figures mean:
// Krizhevsky, "One weird trick for parallelizing convolutional neural networks", 2014, as in
// torchvision (61 100 840 parameters), and MXNet's symbol_alexnet.py, the widths of 2012 in one
// tower (50 844 008; MXNet calls it a model of 203 MB).
#include <string>

#include "kernels/networks/builder.h"
#include "kernels/networks/families.h"

namespace rightsize {
namespace {

constexpr Window pool{.kernel = 3, .stride = 2};

int classifier(NetworkBuilder& net, int x) {
  for (const char* name : {"6", "7"}) {
    x = net.fully_connected(std::string("fc") + name, x, 4096);
    x = net.relu(std::string("relu") + name, x);
    x = net.dropout(std::string("drop") + name, x, 0.5F);
  }
  return net.fully_connected("fc8", x, 1000);
}

int conv_relu(
    NetworkBuilder& net, const char* number, int from, std::int64_t channels, Window window) {
  const int x = net.convolution(std::string("conv") + number, from, channels, window, true);
  return net.relu(std::string("relu") + number, x);
}

}  // namespace

Network make_alexnet_owt() {
  NetworkBuilder net("alexnet-owt", "AlexNet, one tower", {3, 224, 224}, 1000);
  int x = conv_relu(net, "1", net.input(), 64, {.kernel = 11, .stride = 4, .pad = 2});
  x = net.max_pool("pool1", x, pool);
  x = conv_relu(net, "2", x, 192, {.kernel = 5, .pad = 2});
  x = net.max_pool("pool2", x, pool);
  x = conv_relu(net, "3", x, 384, {.kernel = 3, .pad = 1});
  x = conv_relu(net, "4", x, 256, {.kernel = 3, .pad = 1});
  x = conv_relu(net, "5", x, 256, {.kernel = 3, .pad = 1});
  x = net.max_pool("pool5", x, pool);
  return net.finish(classifier(net, x));
}

Network make_alexnet_mxnet() {
  NetworkBuilder net("alexnet-mxnet", "AlexNet, MXNet's", {3, 224, 224}, 1000);
  int x = conv_relu(net, "1", net.input(), 96, {.kernel = 11, .stride = 4});
  x = net.max_pool("pool1", net.local_response_norm("norm1", x), pool);
  x = conv_relu(net, "2", x, 256, {.kernel = 5, .pad = 2});
  x = net.max_pool("pool2", net.local_response_norm("norm2", x), pool);
  x = conv_relu(net, "3", x, 384, {.kernel = 3, .pad = 1});
  x = conv_relu(net, "4", x, 384, {.kernel = 3, .pad = 1});
  x = conv_relu(net, "5", x, 256, {.kernel = 3, .pad = 1});
  x = net.max_pool("pool5", x, pool);
  return net.finish(classifier(net, x));
}

}  // namespace rightsize
