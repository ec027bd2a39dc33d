// The parts of a training step as phases of their own.
#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/builder.h"
#include "support/bf16.h"
#include "support/reference.h"
#include "support/tiny_batch.h"

using namespace rightsize;

namespace {

constexpr int items = 8;

Network small() {
  NetworkBuilder net("small", "Small", {3, 16, 16}, 10);
  const Window same{.kernel = 3, .pad = 1};
  int x = net.batch_norm("a_bn", net.convolution("a", net.input(), 32, same, true));
  x = net.relu("a_relu", x);
  x = net.relu("b_relu", net.convolution("b", x, 32, same, true));
  x = net.relu("c_relu", net.convolution("c", x, 32, same, true));
  x = net.dropout("drop", x, 0.3F);
  return net.finish(net.fully_connected("fc", net.global_average_pool("pool", x), 10));
}

cpu::CpuEngine engine_for(Phase phase, Precision precision = Precision::fp32) {
  EngineOptions options;
  options.phase = phase;
  options.precision = precision;
  options.batch = items;
  options.threads = 2;
  return {small(), options};
}

}  // namespace

TEST_CASE("cpu phase: forward and forward_backward change no learned parameter, train does") {
  const auto batch = test::noise_batch(small(), items);
  for (const auto phase : {Phase::forward, Phase::forward_backward, Phase::train}) {
    CAPTURE(to_string(phase));
    auto engine = engine_for(phase);
    for (const std::string name : {"a.weights", "a_bn.scale", "b.bias", "fc.weights"}) {
      const auto before = engine.parameter(name);
      engine.step(batch.view());
      engine.step(batch.view());
      CHECK((engine.parameter(name) == before) == (phase != Phase::train));
    }
  }
}

TEST_CASE("cpu phase: forward_backward computes the loss and the gradients of a training step") {
  const auto batch = test::noise_batch(small(), items);
  auto train = engine_for(Phase::train);
  auto both = engine_for(Phase::forward_backward);
  auto forward = engine_for(Phase::forward);
  const auto expected = train.evaluate(batch.view()).loss.value();
  CHECK(both.step(batch.view()).loss.value() == expected);
  CHECK(forward.step(batch.view()).loss.value() == expected);
  CHECK(engine_for(Phase::infer).step(batch.view()).loss.value() != expected);
  const auto gradient = both.gradient("b.weights");
  CHECK(test::largest_difference(gradient, train.gradient("b.weights")) < 1e-6F);
  CHECK(*std::max_element(gradient.begin(), gradient.end()) > 1e-4F);
  CHECK(forward.gradient("b.weights").empty());
}

TEST_CASE("cpu phase: each part more of a step needs more memory, in either precision") {
  for (const auto precision : {Precision::fp32, Precision::bf16}) {
    if (precision == Precision::bf16 && !test::cpu_runs_bf16()) {
      MESSAGE("bf16 skipped: this CPU has no AVX-512, which oneDNN's bf16 needs");
      continue;
    }
    const auto bytes = [&](Phase phase) { return engine_for(phase, precision).memory_bytes(); };
    CHECK(bytes(Phase::forward) < bytes(Phase::forward_backward) * 3 / 4);
    CHECK(bytes(Phase::forward_backward) < bytes(Phase::train));
  }
}
