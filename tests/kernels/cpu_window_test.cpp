// Windows of every form - uneven padding, dilation, rows and columns, depthwise - against naive
// references, and their gradients.
#include <string>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/builder.h"
#include "support/gradient_check.h"
#include "support/reference.h"
#include "support/tiny_batch.h"

using namespace rightsize;
using rightsize::test::largest_difference;

namespace {

constexpr int items = 3;
constexpr int classes = 5;

struct OddWindow {
  const char* name;
  std::int64_t channels;
  WindowHw window;
};

// 6 channels of 13 x 11 go in.
constexpr OddWindow odd_windows[] = {
    {"more padding below and right",
     10,
     {.kernel_h = 3,
      .kernel_w = 3,
      .stride_h = 2,
      .stride_w = 2,
      .more_pad_h = 1,
      .more_pad_w = 1}},
    {"more padding below only",
     16,
     {.kernel_h = 3, .kernel_w = 2, .pad_h = 1, .pad_w = 0, .more_pad_h = 1}},
    {"dilation",
     10,
     {.kernel_h = 3, .kernel_w = 3, .pad_h = 2, .pad_w = 1, .dilation_h = 2, .dilation_w = 3}},
    {"a row of seven", 9, {.kernel_w = 7, .pad_w = 3}},
    {"a column of five", 32, {.kernel_h = 5, .stride_h = 2, .pad_h = 2}},
    {"depthwise", 6, {.kernel_h = 3, .kernel_w = 3, .pad_h = 1, .pad_w = 1, .groups = 6}},
    {"depthwise, two outputs each",
     12,
     {.kernel_h = 3, .kernel_w = 3, .stride_h = 2, .stride_w = 1, .pad_h = 1, .groups = 6}},
    {"groups and dilation",
     12,
     {.kernel_h = 3, .kernel_w = 3, .dilation_h = 2, .dilation_w = 2, .groups = 3}},
};

Network convolving(const OddWindow& odd) {
  NetworkBuilder net("odd", "Odd", {6, 13, 11}, classes);
  const int x = net.convolution_hw("conv", net.input(), odd.channels, odd.window, true);
  return net.finish(net.fully_connected("fc", x, classes));
}

// The same under two layers, so that the data gradient counts.
Network convolving_twice(const OddWindow& odd) {
  NetworkBuilder net("odd", "Odd", {3, 13, 11}, classes);
  int x = net.convolution("conv0", net.input(), 6, {.kernel = 3, .pad = 1}, true);
  x = net.convolution_hw("conv", x, odd.channels, odd.window, true);
  return net.finish(net.fully_connected("fc", x, classes));
}

EngineOptions options_of(Phase phase) {
  EngineOptions options;
  options.phase = phase;
  options.batch = items;
  options.threads = 2;
  return options;
}

Network pooling(LayerKind kind, const WindowHw& window, bool count_padding) {
  NetworkBuilder net("pool", "Pool", {3, 13, 11}, classes);
  int x = net.convolution("conv", net.input(), 10, {.kernel = 3, .pad = 1}, true);
  const Window square{window.kernel_h, window.stride_h, window.pad_h, 1, window.more_pad_h};
  x = kind == LayerKind::max_pool ? net.max_pool("pool", x, square)
                                  : net.average_pool("pool", x, square, count_padding);
  return net.finish(net.fully_connected("fc", x, classes));
}

}  // namespace

TEST_CASE("cpu window: convolutions of odd forms equal the naive reference") {
  for (const auto& odd : odd_windows) {
    CAPTURE(odd.name);
    const auto network = convolving(odd);
    const auto batch = test::noise_batch(network, items);
    for (const auto phase : {Phase::train, Phase::infer}) {
      cpu::CpuEngine engine(network, options_of(phase), true);
      engine.set_parameter("conv.bias", test::noise(static_cast<std::size_t>(odd.channels), 5));
      engine.evaluate(batch.view());
      const auto expected = test::convolution(network.layers[1],
                                              network.input,
                                              items,
                                              batch.images,
                                              engine.parameter("conv.weights"),
                                              engine.parameter("conv.bias"));
      CHECK(largest_difference(engine.output("conv"), expected) < 1e-4F);
    }
  }
}

TEST_CASE("cpu window: gradients of convolutions of odd forms") {
  for (const auto& odd : odd_windows) {
    CAPTURE(odd.name);
    test::check_gradients(convolving_twice(odd));
  }
}

TEST_CASE("cpu window: pooling with uneven padding, counted and not") {
  const WindowHw ceil{.kernel_h = 3, .stride_h = 2, .more_pad_h = 1};
  const WindowHw around{.kernel_h = 3, .stride_h = 1, .pad_h = 1, .more_pad_h = 1};
  for (const auto& window : {ceil, around}) {
    for (const bool count : {true, false}) {
      for (const auto kind : {LayerKind::max_pool, LayerKind::average_pool}) {
        CAPTURE(static_cast<int>(kind));
        const auto network = pooling(kind, window, count);
        const auto batch = test::noise_batch(network, items);
        cpu::CpuEngine engine(network, options_of(Phase::infer), true);
        engine.evaluate(batch.view());
        const auto& layer = network.layers[2];
        const auto& in = network.layers[1].out;
        const auto before = engine.output("conv");
        const auto expected = kind == LayerKind::max_pool
                                  ? test::max_pool(layer, in, items, before)
                                  : test::average_pool(layer, in, items, before);
        CHECK(largest_difference(engine.output("pool"), expected) < 1e-5F);
        test::check_gradients(network);
      }
    }
  }
}
