#include <algorithm>
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/builder.h"
#include "support/approx.h"
#include "support/tiny_batch.h"

using namespace rightsize;
using rightsize::test::learnable_batch;

namespace {

constexpr int items = 20;

// A residual network with every trick of ResNet in small.
Network small_resnet() {
  NetworkBuilder net("small", "Small", {3, 12, 12}, 10);
  const auto conv_norm = [&](const std::string& name, int from, std::int64_t c, Window window) {
    return net.batch_norm(name + "_bn", net.convolution(name, from, c, window, false));
  };
  const Window same{.kernel = 3, .pad = 1};
  int x = net.relu("stem_relu", conv_norm("stem", net.input(), 16, same));
  int y = net.relu("a_relu", conv_norm("a", x, 16, same));
  x = net.relu("sum_relu", net.add("sum", {conv_norm("b", y, 16, same), x}));
  y = conv_norm("c", x, 32, {.kernel = 3, .stride = 2, .pad = 1});
  const int shortcut = conv_norm("d", x, 32, {.kernel = 1, .stride = 2});
  x = net.relu("sum2_relu", net.add("sum2", {y, shortcut}));
  return net.finish(net.fully_connected("fc", net.global_average_pool("pool", x), 10));
}

EngineOptions training_options() {
  EngineOptions options;
  options.batch = items;
  options.threads = 2;
  options.learning_rate = 0.05F;
  return options;
}

}  // namespace

TEST_CASE("cpu training: 30 steps divide the loss of a learnable batch by more than ten") {
  const auto network = small_resnet();
  cpu::CpuEngine engine(network, training_options());
  const auto batch = learnable_batch(network, items);
  const auto first = engine.step(batch.view());
  CHECK(first.loss.value() > 1.0);  // near ln 10, as nothing is known yet
  CHECK(first.compute_s > 0);
  StepResult last;
  for (int i = 0; i < 30; ++i) {
    last = engine.step(batch.view());
  }
  CHECK(last.loss.value() < first.loss.value() / 10);
  CHECK(last.correct.value() == items);
}

TEST_CASE("cpu training: what was learned carries over to inference with running statistics") {
  const auto network = small_resnet();
  cpu::CpuEngine trained(network, training_options());
  const auto batch = learnable_batch(network, items);
  for (int i = 0; i < 60; ++i) {
    trained.step(batch.view());
  }
  auto options = training_options();
  options.phase = Phase::infer;
  cpu::CpuEngine inference(network, options);
  const auto fresh = learnable_batch(network, items, 99);  // same patterns, other noise
  const auto untrained = inference.evaluate(fresh.view());
  for (const auto& name : trained.parameter_names()) {
    inference.set_parameter(name, trained.parameter(name));
  }
  CHECK(inference.evaluate(fresh.view()).correct.value() >= items * 9 / 10);
  CHECK(untrained.correct.value() < items / 2);
  CHECK(inference.memory_bytes() < trained.memory_bytes());
}

TEST_CASE("cpu training: the update is SGD with momentum and weight decay, by hand") {
  const auto network = small_resnet();
  auto options = training_options();
  options.weight_decay = 0.01F;
  const auto batch = learnable_batch(network, items);
  for (const std::string name : {"fc.weights", "fc.bias"}) {
    const float decay = name == "fc.weights" ? options.weight_decay : 0.0F;
    cpu::CpuEngine fresh(network, options);
    auto expected = fresh.parameter(name);
    std::vector<float> velocity(expected.size(), 0.0F);
    for (int step = 0; step < 2; ++step) {
      fresh.evaluate(batch.view());
      const auto gradient = fresh.gradient(name);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        velocity[i] = options.momentum * velocity[i] + gradient[i] + decay * expected[i];
        expected[i] -= options.learning_rate * velocity[i];
      }
      fresh.step(batch.view());
    }
    const auto found = fresh.parameter(name);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      REQUIRE(found[i] == test::approx(expected[i]).epsilon(1e-4));
    }
  }
}

TEST_CASE("cpu training: the same seed gives the same start whatever the thread count") {
  const auto network = small_resnet();
  auto options = training_options();
  cpu::CpuEngine two(network, options);
  options.threads = 1;
  cpu::CpuEngine one(network, options);
  options.seed = 2;
  cpu::CpuEngine other(network, options);
  CHECK(one.parameter("a.weights") == two.parameter("a.weights"));
  CHECK(one.parameter("a.weights") != other.parameter("a.weights"));
}

TEST_CASE("cpu training: starting weights have He's deviation and no bias") {
  cpu::CpuEngine engine(small_resnet(), training_options());
  const auto weights = engine.parameter("b.weights");  // fan-in 16 x 3 x 3
  double sum = 0;
  double squares = 0;
  for (const float w : weights) {
    sum += static_cast<double>(w);
    squares += static_cast<double>(w) * static_cast<double>(w);
  }
  const auto count = static_cast<double>(weights.size());
  CHECK(std::abs(sum / count) < 0.01);
  CHECK(std::sqrt(squares / count) == test::approx(std::sqrt(2.0 / 144)).epsilon(0.05));
}

TEST_CASE("cpu training: dropout drops its share, scales the rest and draws anew each step") {
  NetworkBuilder net("drop", "Drop", {1, 40, 50}, 2);
  const int x = net.dropout("drop", net.relu("relu", net.input()), 0.3F);
  const auto network = net.finish(net.fully_connected("fc", x, 2));
  EngineOptions options;
  options.batch = 2;
  cpu::CpuEngine engine(network, options, true);
  const test::TinyBatch ones{std::vector<float>(4000, 1.0F), {0, 1}};
  engine.evaluate(ones.view());
  const auto first = engine.output("drop");
  const auto dropped = std::count(first.begin(), first.end(), 0.0F);
  CHECK(static_cast<double>(dropped) / 4000 == test::approx(0.3).epsilon(0.1));
  CHECK(*std::max_element(first.begin(), first.end()) == test::approx(1 / 0.7F));
  engine.evaluate(ones.view());
  CHECK(engine.output("drop") == first);
  engine.step(ones.view());
  engine.evaluate(ones.view());
  CHECK(engine.output("drop") != first);
}
