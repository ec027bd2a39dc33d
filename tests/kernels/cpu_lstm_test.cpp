// The LSTM against its definition in double, and its gradients against finite differences.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/networks/builder.h"
#include "support/approx.h"
#include "support/bf16.h"
#include "support/gradient_check.h"

using namespace rightsize;
using rightsize::test::check_gradients;
using rightsize::test::noise_batch;

namespace {

constexpr int items = 3;
constexpr int many_items = 9;  // enough for two threads to take them item by item
constexpr std::int64_t features = 5;
constexpr std::int64_t positions = 7;
constexpr std::int64_t hidden = 6;
constexpr int classes = 4;

using Values = std::vector<double>;

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

struct State {
  Values h = Values(hidden);
  Values c = Values(hidden);
};

// One step of one item, straight from the equations.
void step(const cpu::CpuEngine& engine, const std::string& suffix, const Values& x, State& state) {
  const auto w = engine.parameter("lstm.weights" + suffix);
  const auto u = engine.parameter("lstm.recurrent" + suffix);
  const auto b = engine.parameter("lstm.bias" + suffix);
  const auto sum_of = [&](std::int64_t row) {
    double sum = b[static_cast<std::size_t>(row)];
    for (std::size_t k = 0; k < x.size(); ++k) {
      sum += w[static_cast<std::size_t>(row) * x.size() + k] * x[k];
    }
    for (std::size_t k = 0; k < hidden; ++k) {
      sum += u[static_cast<std::size_t>(row) * hidden + k] * state.h[k];
    }
    return sum;
  };
  Values next(hidden);
  for (std::int64_t k = 0; k < hidden; ++k) {
    auto& c = state.c[static_cast<std::size_t>(k)];
    const double in = sigmoid(sum_of(k));
    const double forget = sigmoid(sum_of(hidden + k));
    const double candidate = std::tanh(sum_of(2 * hidden + k));
    c = forget * c + in * candidate;
    next[static_cast<std::size_t>(k)] = sigmoid(sum_of(3 * hidden + k)) * std::tanh(c);
  }
  state.h = next;
}

// Position t of item n; images are stored {features, positions}.
Values input_at(const test::TinyBatch& batch, std::int64_t n, std::int64_t t) {
  Values x(features);
  for (std::int64_t c = 0; c < features; ++c) {
    x[static_cast<std::size_t>(c)] =
        batch.images[static_cast<std::size_t>((n * features + c) * positions + t)];
  }
  return x;
}

Network network_of(bool bidirectional, bool carries_state) {
  NetworkBuilder net("rnn", "RNN", {features, positions, 1}, classes);
  const int x = net.lstm("lstm", net.input(), hidden, bidirectional, carries_state);
  return net.finish(net.fully_connected("fc", x, classes));
}

EngineOptions options_for(Phase phase, int batch = items) {
  EngineOptions options;
  options.phase = phase;
  options.batch = batch;
  options.threads = 2;
  return options;
}

// What the engine says of feature k of direction `first`.
double output_at(const std::vector<float>& y,
                 std::int64_t width,
                 std::int64_t n,
                 std::int64_t k,
                 std::int64_t t) {
  return y[static_cast<std::size_t>((n * width + k) * positions + t)];
}

}  // namespace

TEST_CASE("cpu lstm: both directions are the equations, training and inferring") {
  for (const auto& [phase, count] : {std::pair{Phase::train, items},
                                     std::pair{Phase::infer, items},
                                     std::pair{Phase::infer, many_items}}) {
    cpu::CpuEngine engine(network_of(true, false), options_for(phase, count), true);
    const auto batch = noise_batch(network_of(true, false), count);
    engine.set_parameter("lstm.bias", test::noise(4 * hidden, 4));
    engine.evaluate(batch.view());
    const auto y = engine.output("lstm");
    for (const bool reverse : {false, true}) {
      for (int n = 0; n < count; ++n) {
        State state;
        for (std::int64_t s = 0; s < positions; ++s) {
          const auto t = reverse ? positions - 1 - s : s;
          step(engine, reverse ? "_reverse" : "", input_at(batch, n, t), state);
          for (std::int64_t k = 0; k < hidden; ++k) {
            CHECK(output_at(y, 2 * hidden, n, k + (reverse ? hidden : 0), t) ==
                  test::approx(state.h[static_cast<std::size_t>(k)]).epsilon(1e-5).scale(0.1));
          }
        }
      }
    }
  }
}

TEST_CASE("cpu lstm: a carried state makes two steps one long sequence") {
  for (const int count : {items, many_items}) {
    const auto network = network_of(false, true);
    cpu::CpuEngine engine(network, options_for(Phase::infer, count), true);
    const auto first = noise_batch(network, count, 1);
    const auto second = noise_batch(network, count, 2);
    engine.step(first.view());
    engine.step(second.view());
    const auto y = engine.output("lstm");
    for (int n = 0; n < count; ++n) {
      State state;
      for (const auto* batch : {&first, &second}) {
        for (std::int64_t t = 0; t < positions; ++t) {
          step(engine, "", input_at(*batch, n, t), state);
        }
      }
      for (std::int64_t k = 0; k < hidden; ++k) {
        CHECK(output_at(y, hidden, n, k, positions - 1) ==
              test::approx(state.h[static_cast<std::size_t>(k)]).epsilon(1e-5).scale(0.1));
      }
    }
  }
}

TEST_CASE("cpu lstm: evaluations between steps leave training as it was, to the last bit") {
  const auto network = network_of(false, true);
  cpu::CpuEngine alone(network, options_for(Phase::train));
  cpu::CpuEngine watched(network, options_for(Phase::train));
  for (std::uint32_t s = 0; s < 5; ++s) {
    const auto batch = noise_batch(network, items, s);
    const auto other = noise_batch(network, items, 100 + s);
    const auto before = watched.evaluate(other.view()).loss.value();
    CHECK(watched.evaluate(other.view()).loss.value() == before);
    CHECK(watched.step(batch.view()).loss.value() == alone.step(batch.view()).loss.value());
  }
  const auto last = noise_batch(network, items, 5);
  cpu::CpuEngine fresh(network, options_for(Phase::train));
  for (const auto* name :
       {"lstm.weights", "lstm.recurrent", "lstm.bias", "fc.weights", "fc.bias"}) {
    fresh.set_parameter(name, alone.parameter(name));
  }
  // Where they are is not where one starts: a state was carried.
  CHECK(fresh.evaluate(last.view()).loss.value() != alone.evaluate(last.view()).loss.value());
}

TEST_CASE("cpu lstm: an evaluation and its update are a step, state included") {
  const auto network = network_of(false, true);
  cpu::CpuEngine whole(network, options_for(Phase::train));
  cpu::CpuEngine parts(network, options_for(Phase::train));
  for (std::uint32_t s = 0; s < 3; ++s) {
    const auto batch = noise_batch(network, items, s);
    const auto loss = parts.evaluate(batch.view()).loss.value();
    parts.update();
    CHECK(whole.step(batch.view()).loss.value() == loss);
  }
}

TEST_CASE("cpu lstm: gradients, in one direction, in both, and of two layers") {
  check_gradients(network_of(false, false));
  check_gradients(network_of(true, false));
  NetworkBuilder net("rnn", "RNN", {features, positions, 1}, classes);
  int x = net.lstm("first", net.input(), hidden, true);
  x = net.lstm("second", x, 3);
  check_gradients(net.finish(net.fully_connected("fc", x, classes)));
}

TEST_CASE("cpu lstm: bfloat16 inference stays near FP32's") {
  if (!test::cpu_runs_bf16()) {
    MESSAGE("skipped: this CPU has no AVX-512, which oneDNN's bf16 needs");
    return;
  }
  const auto network = network_of(true, false);
  const auto batch = noise_batch(network, items);
  auto options = options_for(Phase::infer);
  cpu::CpuEngine exact(network, options, true);
  options.precision = Precision::bf16;
  cpu::CpuEngine narrow(network, options, true);
  exact.evaluate(batch.view());
  narrow.evaluate(batch.view());
  const auto a = exact.output("lstm");
  const auto b = narrow.output("lstm");
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(b[i] == test::approx(a[i]).epsilon(0.02).scale(0.5));
  }
}

TEST_CASE("cpu lstm: the final state is where either direction has come to, and has its gradient") {
  NetworkBuilder net("rnn", "RNN", {features, positions, 1}, classes);
  int x = net.lstm("lstm", net.input(), hidden, true);
  x = net.final_state("state", x);
  const auto network = net.finish(net.fully_connected("fc", x, classes));
  cpu::CpuEngine engine(network, options_for(Phase::infer), true);
  engine.evaluate(noise_batch(network, items).view());
  const auto y = engine.output("lstm");
  const auto state = engine.output("state");
  for (int n = 0; n < items; ++n) {
    for (std::int64_t k = 0; k < 2 * hidden; ++k) {
      const auto end = k < hidden ? positions - 1 : 0;
      CHECK(static_cast<double>(state[static_cast<std::size_t>(n * 2 * hidden + k)]) ==
            output_at(y, 2 * hidden, n, k, end));
    }
  }
  check_gradients(network);
}

TEST_CASE("cpu lstm: words that the state carries across steps can be learnt") {
  // The label of every word is the word before it, the first one's in the step before.
  auto net = NetworkBuilder::of_tokens("echo", "Echo", 5, 4, 4);
  int x = net.embedding("embedding", net.input(), 4, 8);
  x = net.lstm("lstm", x, 16, false, true);
  auto network = net.finish(net.linear("softmax", x, 4, true), Optimizer::adam);
  auto options = options_for(Phase::train);
  options.batch = 8;
  options.learning_rate = 0.02F;
  cpu::CpuEngine engine(network, options);
  std::vector<std::int32_t> last(8, 0);
  double loss = 0;
  for (std::uint32_t s = 0; s < 300; ++s) {
    auto batch = test::token_batch(network, 8, s);
    for (std::size_t n = 0; n < 8; ++n) {
      for (std::size_t t = 0; t < 5; ++t) {
        batch.labels[n * 5 + t] = t == 0 ? last[n] : batch.tokens[n * 5 + t - 1];
      }
      last[n] = batch.tokens[n * 5 + 4];
    }
    loss = engine.step(batch.view()).loss.value();
  }
  CHECK(loss < 0.1);  // ln 4 = 1.39 knowing nothing, 0.28 without what the last step ended in
}
