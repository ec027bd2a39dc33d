// Training in BF16: activations and their gradients at 16 bits, parameters, statistics and loss in
// FP32, against the same training in FP32. CPUs without AVX-512 BF16 emulate it, slowly.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/builder.h"
#include "support/bf16.h"
#include "support/tiny_batch.h"

using namespace rightsize;

namespace {

constexpr int items = 20;

// Every kind of layer that trains in BF16. Dropout stands where both precisions use one layout, so
// that they draw the same mask.
Network mixed() {
  NetworkBuilder net("mixed", "Mixed", {3, 16, 16}, 10);
  const Window same{.kernel = 3, .pad = 1};
  int x = net.convolution("stem", net.input(), 16, same, true);
  x = net.local_response_norm("lrn", net.relu("stem_relu", x));
  x = net.max_pool("max", x, {.kernel = 3, .stride = 2, .more_pad = 1});
  int y = net.batch_norm("a_bn", net.convolution("a", x, 16, same, false));
  y = net.activation("a_six", y, Activation::relu6);
  y = net.batch_norm("b_bn", net.convolution("b", y, 16, same, false));
  x = net.relu("sum_relu", net.add("sum", {y, x}));
  const int wide = net.relu("wide_relu", net.convolution("wide", x, 16, {.kernel = 1}, true));
  x = net.average_pool("average", net.concat("concat", {x, wide}), {.kernel = 2, .stride = 2});
  x = net.multiply("gated", x, net.activation("gate", x, Activation::sigmoid));
  x = net.relu("hidden_relu", net.fully_connected("hidden", x, 64));
  return net.finish(net.fully_connected("fc", net.dropout("drop", x, 0.2F), 10));
}

EngineOptions options_of(Precision precision) {
  EngineOptions options;
  options.precision = precision;
  options.batch = items;
  options.threads = 2;
  options.learning_rate = 0.02F;
  return options;
}

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  const auto dot = [](const std::vector<float>& x, const std::vector<float>& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

bool fits_16_bits(float value) {
  return (std::bit_cast<std::uint32_t>(value) & 0xffffU) == 0;
}

}  // namespace

TEST_CASE("cpu bf16: the loss of 20 steps follows FP32's") {
  if (!test::cpu_runs_bf16()) {
    MESSAGE("skipped: this CPU has no AVX-512, which oneDNN's bf16 needs");
    return;
  }
  const auto network = mixed();
  const auto batch = test::learnable_batch(network, items);
  cpu::CpuEngine wide(network, options_of(Precision::fp32));
  cpu::CpuEngine narrow(network, options_of(Precision::bf16));
  double first = 0;
  double expected = 0;
  bool differs = false;
  for (int step = 0; step < 20; ++step) {
    CAPTURE(step);
    expected = wide.step(batch.view()).loss.value();
    const double found = narrow.step(batch.view()).loss.value();
    first = step == 0 ? expected : first;
    CHECK(std::abs(found - expected) < 0.02 * first + 0.05 * expected);
    differs = differs || found != expected;
  }
  CHECK(differs);
  CHECK(expected < first / 4);  // it is a curve of something being learned
}

TEST_CASE("cpu bf16: gradients point where FP32's point") {
  if (!test::cpu_runs_bf16()) {
    MESSAGE("skipped: this CPU has no AVX-512, which oneDNN's bf16 needs");
    return;
  }
  const auto network = mixed();
  const auto batch = test::noise_batch(network, items);
  cpu::CpuEngine wide(network, options_of(Precision::fp32));
  cpu::CpuEngine narrow(network, options_of(Precision::bf16));
  wide.evaluate(batch.view());
  narrow.evaluate(batch.view());
  int compared = 0;
  for (const auto& name : wide.parameter_names()) {
    const auto expected = wide.gradient(name);
    if (!expected.empty()) {
      CAPTURE(name);
      CHECK(cosine(narrow.gradient(name), expected) > 0.98);
      ++compared;
    }
  }
  CHECK(compared == 14);
}

TEST_CASE("cpu bf16: parameters are kept in FP32, and activations take half the memory") {
  if (!test::cpu_runs_bf16()) {
    MESSAGE("skipped: this CPU has no AVX-512, which oneDNN's bf16 needs");
    return;
  }
  NetworkBuilder net("wide", "Wide", {3, 32, 32}, 10);
  int x = net.relu("r1", net.convolution("c1", net.input(), 64, {.kernel = 3, .pad = 1}, true));
  x = net.relu("r2", net.convolution("c2", x, 64, {.kernel = 3, .pad = 1}, true));
  const auto network = net.finish(net.fully_connected("fc", net.global_average_pool("p", x), 10));
  const auto batch = test::noise_batch(network, items);
  cpu::CpuEngine wide(network, options_of(Precision::fp32));
  cpu::CpuEngine narrow(network, options_of(Precision::bf16));
  narrow.step(batch.view());
  const auto weights = narrow.parameter("c2.weights");
  CHECK(std::count_if(weights.begin(), weights.end(), fits_16_bits) <
        static_cast<std::ptrdiff_t>(weights.size()) / 10);
  CHECK(static_cast<double>(narrow.memory_bytes()) <
        0.65 * static_cast<double>(wide.memory_bytes()));
}
