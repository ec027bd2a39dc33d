// The GPU engine against the CPU engine: the layers of networks with branches and gates, and the
// windows that are not plain squares.
#include <doctest/doctest.h>

#include "device.h"
#include "reference.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

constexpr Window same{.kernel = 3, .pad = 1};

// The engines draw a mask in the order of their memory, which is the same for flat vectors alone.
Network without_dropout_of_images(Network network) {
  for (auto& layer : network.layers) {
    if (layer.kind == LayerKind::dropout && layer.out.positions() > 1) {
      layer.dropout_rate = 0;
    }
  }
  return network;
}

}  // namespace

TEST_CASE("gpu reference: channels side by side, of widths that do and do not divide") {
  if (lacks_gpu()) {
    return;
  }
  for (const std::int64_t channels : {16, 5}) {
    CAPTURE(channels);
    auto net = tiny();
    const int a = net.relu("a_relu", net.convolution("a", net.input(), channels, same, true));
    const int b = net.convolution("b", a, 8, same, true);
    const int all = net.concat("all", {b, a, net.input(), a});  // one of them twice
    compare_all_precisions(finish(net, net.convolution("mix", all, 8, same, true)));
  }
}

TEST_CASE("gpu reference: channels taken out and dealt to other groups, as in ShuffleNetV2") {
  if (lacks_gpu()) {
    return;
  }
  for (const std::int64_t channels : {16, 10}) {
    CAPTURE(channels);
    auto net = tiny();
    const int a = net.relu("a_relu", net.convolution("a", net.input(), channels, same, true));
    const int first = net.take_channels("first", a, 0, channels / 2);
    int second = net.take_channels("second", a, channels / 2, channels / 2);
    second = net.convolution("b", second, channels / 2, same, true);
    const int dealt = net.shuffle_channels("dealt", net.concat("both", {first, second}), 2);
    compare_all_precisions(finish(net, net.convolution("mix", dealt, 8, same, true)));
  }
}

TEST_CASE("gpu reference: every element-wise function, where it bends") {
  if (lacks_gpu()) {
    return;
  }
  for (const auto function : {Activation::relu6,
                              Activation::sigmoid,
                              Activation::tanh,
                              Activation::gelu,
                              Activation::gelu_tanh,
                              Activation::silu,
                              Activation::hard_sigmoid,
                              Activation::hard_swish,
                              Activation::leaky_relu,
                              Activation::elu,
                              Activation::squared_relu}) {
    CAPTURE(static_cast<int>(function));
    auto net = tiny();
    int x = net.convolution("conv", net.input(), 12, same, true);
    x = net.add("larger", {x, x, x});  // so that ReLU6 meets its six
    x = net.activation("bend", x, function, 0.3F);
    compare_all_precisions(finish(net, net.convolution("after", x, 8, same, true)));
  }
}

TEST_CASE("gpu reference: products of two tensors, and of one with itself") {
  if (lacks_gpu()) {
    return;
  }
  auto net = tiny();
  const int a = net.convolution("a", net.input(), 12, same, true);
  const int b = net.convolution("b", net.input(), 12, same, true);
  const int product = net.multiply("product", a, b);
  const int square = net.multiply("square", a, a);
  compare_all_precisions(finish(net, net.add("sum", {product, square})));
}

TEST_CASE("gpu reference: a gate per channel, as in squeeze-and-excitation") {
  if (lacks_gpu()) {
    return;
  }
  for (const std::int64_t channels : {48, 7}) {
    CAPTURE(channels);
    auto net = tiny();
    const int x = net.convolution("conv", net.input(), channels, same, true);
    int gate = net.relu("squeeze", net.fully_connected("down", net.global_average_pool("p", x), 4));
    gate = net.activation("gate", net.fully_connected("up", gate, channels), Activation::sigmoid);
    compare_all_precisions(finish(net, net.multiply("scale", x, gate)));
  }
}

TEST_CASE("gpu reference: convolutions that pad one side more, are wide, or are dilated") {
  if (lacks_gpu()) {
    return;
  }
  auto net = tiny();
  int x = net.convolution_hw("behind",
                             net.input(),
                             16,
                             {.kernel_h = 3,
                              .kernel_w = 3,
                              .stride_h = 2,
                              .stride_w = 2,
                              .more_pad_h = 1,
                              .more_pad_w = 1},
                             true);
  x = net.relu("relu", x);
  x = net.convolution_hw(
      "more",
      x,
      16,
      {.kernel_h = 2, .kernel_w = 4, .pad_w = 1, .more_pad_h = 1, .more_pad_w = 1},
      false);
  x = net.convolution_hw("wide", x, 16, {.kernel_h = 1, .kernel_w = 7, .pad_w = 3}, true);
  x = net.convolution_hw(
      "dilated",
      x,
      16,
      {.kernel_h = 3, .kernel_w = 3, .pad_h = 2, .pad_w = 2, .dilation_h = 2, .dilation_w = 2},
      true);
  compare_all_precisions(finish(net, x));
}

TEST_CASE("gpu reference: a filter per channel, with strides, odd padding, dilation and a ReLU") {
  if (lacks_gpu()) {
    return;
  }
  for (const std::int64_t channels : {24, 7}) {
    CAPTURE(channels);
    auto net = tiny();
    int x = net.convolution("conv", net.input(), channels, same, true);
    x = net.convolution("plain", x, channels, {.kernel = 3, .pad = 1, .groups = channels}, false);
    x = net.relu("relu",
                 net.convolution_hw("strided",
                                    x,
                                    channels,
                                    {.kernel_h = 3,
                                     .kernel_w = 5,
                                     .stride_h = 2,
                                     .stride_w = 2,
                                     .pad_w = 2,
                                     .more_pad_h = 1,
                                     .groups = channels},
                                    true));
    x = net.convolution_hw("dilated",
                           x,
                           channels,
                           {.kernel_h = 3,
                            .kernel_w = 3,
                            .pad_h = 2,
                            .pad_w = 2,
                            .dilation_h = 2,
                            .dilation_w = 2,
                            .groups = channels},
                           true);
    compare_all_precisions(finish(net, x));
  }
}

TEST_CASE("gpu reference: pooling that pads one side more, with and without counting it") {
  if (lacks_gpu()) {
    return;
  }
  auto net = tiny();
  int x = net.convolution("conv", net.input(), 12, same, true);
  x = net.max_pool("max", x, {.kernel = 3, .stride = 2, .more_pad = 1});
  const int counted = net.average_pool("counted", x, {.kernel = 3, .stride = 2, .more_pad = 1});
  const int inside =
      net.average_pool("inside", x, {.kernel = 3, .stride = 2, .more_pad = 1}, false);
  x = net.add("sum", {counted, inside});
  x = net.average_pool("edges", x, {.kernel = 3, .pad = 1}, false);
  compare_all_precisions(finish(net, x));
}

TEST_CASE("gpu reference: the normalisation's epsilon is the layer's") {
  if (lacks_gpu()) {
    return;
  }
  auto net = tiny();
  const int x = net.convolution("conv", net.input(), 16, same, true);
  const auto network = finish(net, net.relu("relu", net.batch_norm("norm", x, 0.5F)));
  compare_all_precisions(network);
  compare(network, 8, Precision::fp32, {}, Phase::infer);
}

TEST_CASE("gpu reference: one step of every other convolutional network at batch 8") {
  if (lacks_gpu()) {
    return;
  }
  for (const char* name : {"googlenet",
                           "inception-v3",
                           "mobilenet-v2",
                           "inception-bn-28-small",
                           "cifar10-convnet",
                           "cifar10-cnn",
                           "mnist-mlp",
                           "mnist-cnn"}) {
    compare(without_dropout_of_images(make_network(name)), 8, Precision::fp32, {2e-3, 3e-2});
  }
}
