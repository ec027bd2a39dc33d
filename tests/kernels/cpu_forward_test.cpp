// Forward results of the CPU engine against naive references.
#include <algorithm>
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/builder.h"
#include "support/approx.h"
#include "support/bf16.h"
#include "support/reference.h"
#include "support/tiny_batch.h"

using namespace rightsize;
using rightsize::test::largest_difference;
using rightsize::test::Values;

namespace {

constexpr int items = 3;

// A network with a layer of each windowed kind, in a row, none fused.
Network chain() {
  NetworkBuilder net("chain", "Chain", {6, 13, 11}, 7);
  int x = net.convolution(
      "conv", net.input(), 10, {.kernel = 3, .stride = 2, .pad = 2, .groups = 2}, true);
  x = net.local_response_norm("norm", x);
  x = net.max_pool("max", x, {.kernel = 3, .stride = 1, .pad = 1});
  x = net.average_pool("average", x, {.kernel = 3, .stride = 2, .pad = 1});
  x = net.fully_connected("fc", x, 7);
  auto network = net.finish(x);
  network.layers[2].lrn_alpha = 0.3F;
  network.layers[2].lrn_k = 2.0F;
  return network;
}

void check_chain(Phase phase, int threads) {
  const auto network = chain();
  EngineOptions options;
  options.phase = phase;
  options.batch = items;
  options.threads = threads;
  cpu::CpuEngine engine(network, options, true);
  engine.set_parameter("conv.bias", test::noise(10, 5));
  const auto batch = test::noise_batch(network, items);
  engine.evaluate(batch.view());

  const auto& layers = network.layers;
  const auto conv = test::convolution(layers[1],
                                      network.input,
                                      items,
                                      batch.images,
                                      engine.parameter("conv.weights"),
                                      engine.parameter("conv.bias"));
  const auto norm = test::local_response_norm(layers[2], items, conv);
  const auto max = test::max_pool(layers[3], layers[2].out, items, norm);
  const auto average = test::average_pool(layers[4], layers[3].out, items, max);
  const auto fc = test::fully_connected(layers[5],
                                        layers[4].out,
                                        items,
                                        average,
                                        engine.parameter("fc.weights"),
                                        engine.parameter("fc.bias"));
  CHECK(largest_difference(engine.output("conv"), conv) < 1e-4F);
  CHECK(largest_difference(engine.output("norm"), norm) < 1e-4F);
  CHECK(largest_difference(engine.output("max"), max) < 1e-4F);
  CHECK(largest_difference(engine.output("average"), average) < 1e-4F);
  CHECK(largest_difference(engine.output("fc"), fc) < 1e-4F);
  CHECK(*std::max_element(fc.begin(), fc.end()) > 0.1F);  // not a comparison of zeros
}

}  // namespace

TEST_CASE("cpu forward: convolution, LRN, pooling and linear layers equal the naive reference") {
  check_chain(Phase::train, 2);
  check_chain(Phase::infer, 1);
}

TEST_CASE("cpu forward: the loss is the mean cross-entropy of the scores") {
  const auto network = chain();
  EngineOptions options;
  options.phase = Phase::infer;
  options.batch = items;
  cpu::CpuEngine engine(network, options, true);
  const auto batch = test::noise_batch(network, items);
  const auto result = engine.evaluate(batch.view());
  const auto scores = engine.output("fc");
  double loss = 0;
  int correct = 0;
  for (int i = 0; i < items; ++i) {
    const auto* row = scores.data() + i * 7;
    double sum = 0;
    for (int c = 0; c < 7; ++c) {
      sum += std::exp(static_cast<double>(row[c]));
    }
    loss += std::log(sum) - static_cast<double>(row[batch.labels[static_cast<std::size_t>(i)]]);
    correct += std::max_element(row, row + 7) - row == batch.labels[static_cast<std::size_t>(i)];
  }
  CHECK(result.loss.value() == test::approx(loss / items).epsilon(1e-5));
  CHECK(result.correct.value() == correct);
}

TEST_CASE("cpu forward: bf16 inference stays within its precision of fp32") {
  if (!test::cpu_runs_bf16()) {
    MESSAGE("skipped: this CPU has no AVX-512, which oneDNN's bf16 needs");
    return;
  }
  const auto network = chain();
  const auto batch = test::noise_batch(network, items);
  EngineOptions options;
  options.phase = Phase::infer;
  options.batch = items;
  const auto full = cpu::CpuEngine(network, options).evaluate(batch.view()).loss.value();
  options.precision = Precision::bf16;
  const auto half = cpu::CpuEngine(network, options).evaluate(batch.view()).loss.value();
  CHECK(half == test::approx(full).epsilon(0.02));
  CHECK(half != full);
}

TEST_CASE("cpu forward: an item's scores do not depend on the batch it is in") {
  const auto network = make_network("resnet18");
  EngineOptions options;
  options.phase = Phase::infer;
  options.batch = 3;
  cpu::CpuEngine three(network, options, true);
  options.batch = 1;
  cpu::CpuEngine one(network, options, true);
  const auto batch = test::noise_batch(network, 3);
  three.evaluate(batch.view());
  const auto scores = three.output("fc");
  const auto size = static_cast<std::size_t>(network.input.elements());
  for (std::size_t i = 0; i < 3; ++i) {
    const test::TinyBatch item{{batch.images.begin() + static_cast<std::ptrdiff_t>(i * size),
                                batch.images.begin() + static_cast<std::ptrdiff_t>((i + 1) * size)},
                               {batch.labels[i]}};
    one.evaluate(item.view());
    const Values expected(scores.begin() + static_cast<std::ptrdiff_t>(i * 1000),
                          scores.begin() + static_cast<std::ptrdiff_t>((i + 1) * 1000));
    CHECK(largest_difference(one.output("fc"), expected) < 1e-3F);
  }
}
