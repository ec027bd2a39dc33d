#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/gpt2.h"
#include "support/approx.h"
#include "support/tiny_batch.h"

using namespace rightsize;

namespace {

constexpr int items = 4;

Network tiny_gpt() {
  return make_gpt(
      {.name = "tiny", .layers = 2, .width = 64, .heads = 4, .vocabulary = 97, .context = 24}, 24);
}

EngineOptions training_options() {
  EngineOptions options;
  options.batch = items;
  options.threads = 2;
  options.learning_rate = 3e-3F;
  return options;
}

}  // namespace

TEST_CASE("cpu transformer: a fresh language model knows nothing, then learns a batch by heart") {
  const auto network = tiny_gpt();
  cpu::CpuEngine engine(network, training_options());
  const auto batch = test::noise_batch(network, items);
  const auto first = engine.step(batch.view());
  CHECK(first.loss.value() == test::approx(std::log(97)).epsilon(0.05));
  StepResult last;
  for (int i = 0; i < 100; ++i) {
    last = engine.step(batch.view());
  }
  CHECK(last.loss.value() < 0.1);
  CHECK(last.correct.value() == items * 24);
}

TEST_CASE("cpu transformer: the update is AdamW, by hand") {
  const auto network = tiny_gpt();
  auto options = training_options();
  options.weight_decay = 0.1F;
  options.beta1 = 0.8F;
  options.beta2 = 0.95F;
  const auto batch = test::noise_batch(network, items);
  for (const std::string name : {"block1_up.weights", "tokens.weights", "block2_norm1.scale"}) {
    CAPTURE(name);
    const double decay = name == "block2_norm1.scale" ? 0.0 : 0.1;
    cpu::CpuEngine engine(network, options);
    const auto start = engine.parameter(name);
    std::vector<double> expected(start.begin(), start.end());
    std::vector<double> mean(start.size());
    std::vector<double> square(start.size());
    const auto rate = static_cast<double>(options.learning_rate);
    for (int t = 1; t <= 3; ++t) {
      engine.evaluate(batch.view());
      const auto gradient = engine.gradient(name);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto g = static_cast<double>(gradient[i]);
        mean[i] = 0.8 * mean[i] + 0.2 * g;
        square[i] = 0.95 * square[i] + 0.05 * g * g;
        const double unbiased = mean[i] / (1 - std::pow(0.8, t));
        const double root = std::sqrt(square[i] / (1 - std::pow(0.95, t)));
        expected[i] -= rate * (unbiased / (root + 1e-8) + decay * expected[i]);
      }
      engine.step(batch.view());
    }
    const auto found = engine.parameter(name);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      REQUIRE(static_cast<double>(found[i]) == test::approx(expected[i]).epsilon(1e-3).scale(0.01));
    }
  }
}

TEST_CASE("cpu transformer: labels below zero take no part in loss and gradient") {
  const auto network = tiny_gpt();
  cpu::CpuEngine engine(network, training_options());
  auto batch = test::noise_batch(network, items);
  for (std::size_t i = 0; i < batch.labels.size(); ++i) {
    batch.labels[i] = i % 24 == 5 ? batch.labels[i] : -1;
  }
  const auto loss = engine.evaluate(batch.view()).loss.value();
  CHECK(loss == test::approx(std::log(97)).epsilon(0.1));
  const auto positions = engine.gradient("positions.weights");  // 24 x 64; causal
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (i >= 6 * 64) {
      REQUIRE(positions[i] == 0);  // nobody after position 5 was asked
    }
  }
  CHECK(std::abs(positions[5 * 64]) > 0);
}
