// Activations, products and channels side by side against naive references, and their gradients.
#include <algorithm>
#include <numeric>
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
constexpr Activation functions[] = {Activation::relu6,
                                    Activation::sigmoid,
                                    Activation::tanh,
                                    Activation::gelu,
                                    Activation::gelu_tanh,
                                    Activation::silu,
                                    Activation::hard_sigmoid,
                                    Activation::hard_swish,
                                    Activation::leaky_relu,
                                    Activation::elu,
                                    Activation::squared_relu};
constexpr float alpha = 0.3F;

NetworkBuilder tiny() {
  return {"tiny", "Tiny", {3, 9, 7}, classes};
}

Network finish(NetworkBuilder& net, int from) {
  return net.finish(net.fully_connected("fc", from, classes));
}

int convolution(NetworkBuilder& net, const char* name, std::int64_t channels) {
  return net.convolution(name, net.input(), channels, {.kernel = 3, .pad = 1}, true);
}

// Two convolutions, and their activations multiplied so that nothing can be fused into them.
Network activated(Activation function) {
  auto net = tiny();
  const int a = convolution(net, "a", 10);
  const int both = net.add("both", {net.activation("act", a, function, alpha), a});
  return finish(net, both);
}

Network gated(std::int64_t channels) {
  auto net = tiny();
  const int a = convolution(net, "a", channels);
  const int pool = net.global_average_pool("pool", a);
  const int gate =
      net.activation("gate", net.fully_connected("squeeze", pool, channels), Activation::sigmoid);
  const int scaled = net.multiply("scaled", a, gate);
  return finish(net, net.multiply("squared", scaled, convolution(net, "b", channels)));
}

// Channel counts that do and do not fill a block of 16.
Network side_by_side(std::int64_t first, std::int64_t second) {
  auto net = tiny();
  const int a = net.relu("relu", convolution(net, "a", first));
  const int b = convolution(net, "b", second);
  const int x = net.concat("concat", {a, b});
  return finish(net, net.convolution("after", x, 6, {.kernel = 3}, true));
}

cpu::CpuEngine evaluated(const Network& network, Phase phase) {
  EngineOptions options;
  options.phase = phase;
  options.batch = items;
  options.threads = 2;
  return {network, options, true};
}

}  // namespace

TEST_CASE("cpu element-wise: activations equal their formulas, alone and fused") {
  for (const auto function : functions) {
    CAPTURE(static_cast<int>(function));
    const auto network = activated(function);
    auto batch = test::noise_batch(network, items);
    for (auto& value : batch.images) {
      value *= 3;  // far enough for a ReLU6 to cut off
    }
    for (const auto phase : {Phase::train, Phase::infer}) {
      auto engine = evaluated(network, phase);
      engine.evaluate(batch.view());
      const auto expected =
          test::activation(function, engine.output("a"), static_cast<double>(alpha));
      CHECK(largest_difference(engine.output("act"), expected) < 1e-4F);
    }
  }
}

TEST_CASE("cpu element-wise: a ReLU6 that is part of convolution, linear layer or sum") {
  auto net = tiny();
  int x = net.activation("six1", convolution(net, "a", 10), Activation::relu6);
  x = net.activation("six2", net.add("sum", {x, x}), Activation::relu6);
  x = net.activation("six3", net.fully_connected("hidden", x, 24), Activation::relu6);
  const auto network = finish(net, x);
  auto batch = test::noise_batch(network, items);
  for (auto& value : batch.images) {
    value *= 6;
  }
  for (const auto phase : {Phase::train, Phase::infer}) {
    auto engine = evaluated(network, phase);
    engine.evaluate(batch.view());
    const auto conv = test::convolution(network.layers[1],
                                        network.input,
                                        items,
                                        batch.images,
                                        engine.parameter("a.weights"),
                                        engine.parameter("a.bias"));
    const auto once = test::activation(Activation::relu6, conv);
    auto twice = once;
    for (auto& value : twice) {
      value = std::min(2 * value, 6.0F);
    }
    CHECK(*std::max_element(conv.begin(), conv.end()) > 6);
    CHECK(largest_difference(engine.output("six1"), once) < 1e-4F);
    CHECK(largest_difference(engine.output("six2"), twice) < 1e-4F);
  }
  test::check_gradients(network);
}

TEST_CASE("cpu element-wise: a sum of three that ends in a ReLU or ReLU6") {
  for (const std::int64_t channels : {10, 16}) {
    for (const bool six : {false, true}) {
      CAPTURE(channels);
      CAPTURE(six);
      auto net = tiny();
      const int a = convolution(net, "a", channels);
      const int sum = net.add("sum", {a, a, convolution(net, "b", channels)});
      const auto network =
          finish(net, six ? net.activation("end", sum, Activation::relu6) : net.relu("end", sum));
      auto batch = test::noise_batch(network, items);
      for (auto& value : batch.images) {
        value *= 3;
      }
      auto engine = evaluated(network, Phase::train);
      engine.evaluate(batch.view());
      auto expected = engine.output("a");
      const auto b = engine.output("b");
      for (std::size_t i = 0; i < expected.size(); ++i) {
        expected[i] = std::max(2 * expected[i] + b[i], 0.0F);
        expected[i] = six ? std::min(expected[i], 6.0F) : expected[i];
      }
      CHECK(largest_difference(engine.output("end"), expected) < 1e-4F);
    }
  }
}

TEST_CASE("cpu element-wise: gradients of activations") {
  for (const auto function : functions) {
    CAPTURE(static_cast<int>(function));
    test::check_gradients(activated(function));
  }
}

TEST_CASE("cpu element-wise: products, by a gate per channel and by an equal shape") {
  for (const std::int64_t channels : {10, 16}) {
    CAPTURE(channels);
    const auto network = gated(channels);
    const auto batch = test::noise_batch(network, items);
    auto engine = evaluated(network, Phase::infer);
    engine.evaluate(batch.view());
    const auto scaled =
        test::multiply(network.layers[5], items, engine.output("a"), engine.output("gate"));
    CHECK(largest_difference(engine.output("scaled"), scaled) < 1e-5F);
    const auto squared = test::multiply(network.layers[5], items, scaled, engine.output("b"));
    CHECK(largest_difference(engine.output("squared"), squared) < 1e-5F);
    test::check_gradients(network);
  }
}

TEST_CASE("cpu element-wise: features of linear layers side by side") {
  auto net = tiny();
  const int a = net.fully_connected("a", net.input(), 7);
  const int b = net.fully_connected("b", net.input(), 12);
  const auto network = finish(net, net.concat("concat", {a, b}));
  const auto batch = test::noise_batch(network, items);
  auto engine = evaluated(network, Phase::infer);
  engine.evaluate(batch.view());
  const auto expected = test::concat(items, engine.output("a"), engine.output("b"));
  CHECK(largest_difference(engine.output("concat"), expected) == 0);
  test::check_gradients(network);
}

TEST_CASE("cpu element-wise: channels side by side, in blocks and across them") {
  for (const auto& [first, second] : {std::pair{16, 32}, {10, 7}, {16, 5}, {5, 16}}) {
    CAPTURE(first);
    const auto network = side_by_side(first, second);
    const auto batch = test::noise_batch(network, items);
    auto engine = evaluated(network, Phase::infer);
    engine.evaluate(batch.view());
    const auto expected = test::concat(items, engine.output("relu"), engine.output("b"));
    CHECK(largest_difference(engine.output("concat"), expected) == 0);
    test::check_gradients(network);
  }
}

namespace {

// Channel i of an image of `channels`, for every item.
test::Values channels_of(const test::Values& image,
                         std::int64_t channels,
                         const std::vector<std::int64_t>& order) {
  const auto plane = static_cast<std::int64_t>(image.size()) / (items * channels);
  test::Values result;
  for (std::int64_t n = 0; n < items; ++n) {
    for (const auto channel : order) {
      const auto from = image.begin() + (n * channels + channel) * plane;
      result.insert(result.end(), from, from + plane);
    }
  }
  return result;
}

}  // namespace

TEST_CASE("cpu element-wise: some channels of an image, in blocks and across them") {
  for (const std::int64_t channels : {32, 11}) {  // slices that do and do not fill blocks
    for (const std::int64_t first : {0, 3}) {
      CAPTURE(channels);
      CAPTURE(first);
      auto net = tiny();
      const int a = net.relu("relu", convolution(net, "a", channels));
      const int taken = net.take_channels("taken", a, first, channels - 8);
      const int rest = net.take_channels("rest", a, 0, channels - 8);
      const int sum = net.add("sum", {taken, rest});
      const auto network = finish(net, net.convolution("after", sum, 6, {.kernel = 3}, true));
      auto engine = evaluated(network, Phase::infer);
      engine.evaluate(test::noise_batch(network, items).view());
      std::vector<std::int64_t> order(static_cast<std::size_t>(channels - 8));
      std::iota(order.begin(), order.end(), first);
      CHECK(engine.output("taken") == channels_of(engine.output("relu"), channels, order));
      test::check_gradients(network);
    }
  }
}

TEST_CASE("cpu element-wise: channels of the network's own input, and of flat features") {
  auto net = tiny();
  const int image =
      net.convolution("a", net.take_channels("two", net.input(), 1, 2), 6, {.kernel = 3}, true);
  const int flat = net.take_channels("flat", net.fully_connected("fc1", image, 9), 2, 4);
  const auto network = finish(net, flat);
  const auto batch = test::noise_batch(network, items);
  auto engine = evaluated(network, Phase::infer);
  engine.evaluate(batch.view());
  CHECK(engine.output("two") == channels_of(batch.images, 3, {1, 2}));
  CHECK(engine.output("flat") == channels_of(engine.output("fc1"), 9, {2, 3, 4, 5}));
  test::check_gradients(network);
}

TEST_CASE("cpu element-wise: channels are dealt to other groups") {
  for (const auto& [channels, groups] : {std::pair{12, 3}, {32, 2}, {7, 7}}) {
    CAPTURE(channels);
    CAPTURE(groups);
    auto net = tiny();
    const int a = convolution(net, "a", channels);
    const int dealt = net.shuffle_channels("dealt", a, groups);
    const auto network = finish(net, net.convolution("after", dealt, 6, {.kernel = 3}, true));
    auto engine = evaluated(network, Phase::infer);
    engine.evaluate(test::noise_batch(network, items).view());
    std::vector<std::int64_t> order;
    for (int j = 0; j < channels / groups; ++j) {
      for (int i = 0; i < groups; ++i) {
        order.push_back(i * (channels / groups) + j);
      }
    }
    CHECK(engine.output("dealt") == channels_of(engine.output("a"), channels, order));
    test::check_gradients(network);
  }
}

// A fully connected layer's output is two-dimensional inside, a pooled image's has four.
TEST_CASE(
    "cpu element-wise: flat and image-shaped inputs are summed, multiplied and put together") {
  for (const bool flat_first : {true, false}) {
    NetworkBuilder net("mixed", "Mixed", {3, 9, 9}, 5);
    const int pooled = net.global_average_pool(
        "mean", net.convolution("conv", net.input(), 8, {.kernel = 3}, true));
    const int flat = net.fully_connected("fc", pooled, 8);
    const int a = flat_first ? flat : pooled;
    const int b = flat_first ? pooled : flat;
    const int sum = net.add("sum", {a, b});
    const int product = net.multiply("product", a, b);
    const int both = net.concat("both", {sum, product, pooled, flat});
    test::check_gradients(net.finish(net.fully_connected("classes", both, 5)));
  }
}

TEST_CASE("cpu element-wise: the network's own input takes part in a product") {
  NetworkBuilder net("gate", "Gate", {8, 1, 1}, 5);
  const int flat = net.fully_connected("fc", net.input(), 8);
  const int product = net.multiply("product", flat, net.input());
  test::check_gradients(net.finish(net.fully_connected("classes", product, 5)));
}
