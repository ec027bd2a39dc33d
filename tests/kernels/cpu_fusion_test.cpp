// What the engine folds together at inference gives what its parts would give one by one.
#include <algorithm>
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/cpu/fusion.h"
#include "kernels/networks/builder.h"
#include "support/approx.h"
#include "support/bf16.h"
#include "support/reference.h"
#include "support/tiny_batch.h"

using namespace rightsize;
using rightsize::test::largest_difference;

namespace {

constexpr int items = 3;

int index_of(const Network& network, const std::string& name) {
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    if (network.layers[i].name == name) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

// conv (with a bias) -> norm -> ReLU6, an odd number of channels and another epsilon.
Network normalised() {
  NetworkBuilder net("norm", "Norm", {3, 9, 7}, 5);
  int x = net.convolution("conv", net.input(), 10, {.kernel = 3, .pad = 1}, true);
  x = net.activation("six", net.batch_norm("bn", x, 1e-2F), Activation::relu6);
  return net.finish(net.fully_connected("fc", x, 5));
}

EngineOptions inference() {
  EngineOptions options;
  options.phase = Phase::infer;
  options.batch = items;
  options.threads = 2;
  return options;
}

// Statistics and factors that are not one and zero, the same whichever engine they are set in.
void disturb(cpu::CpuEngine& engine) {
  std::uint32_t seed = 50;
  for (const auto& name : engine.parameter_names()) {
    auto values = engine.parameter(name);
    const bool variance = name.ends_with(".variance");
    if (variance || name.ends_with(".scale") || name.ends_with(".shift") ||
        name.ends_with(".mean") || name.ends_with(".bias")) {
      const auto moved = test::noise(values.size(), ++seed, 0.3F);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += variance ? std::abs(moved[i]) : moved[i];
      }
      engine.set_parameter(name, values);
    }
  }
}

}  // namespace

TEST_CASE("cpu fusion: a convolution with its normalisation and ReLU6 equals the three layers") {
  const auto network = normalised();
  auto batch = test::noise_batch(network, items);
  for (auto& value : batch.images) {
    value *= 4;
  }
  cpu::CpuEngine engine(network, inference(), true);
  disturb(engine);
  engine.evaluate(batch.view());
  const auto conv = test::convolution(network.layers[1],
                                      network.input,
                                      items,
                                      batch.images,
                                      engine.parameter("conv.weights"),
                                      engine.parameter("conv.bias"));
  const auto norm = test::batch_norm(network.layers[2],
                                     items,
                                     conv,
                                     engine.parameter("bn.scale"),
                                     engine.parameter("bn.shift"),
                                     engine.parameter("bn.mean"),
                                     engine.parameter("bn.variance"));
  const auto six = test::activation(Activation::relu6, norm);
  CHECK(largest_difference(engine.output("six"), six) < 1e-4F);
  CHECK(largest_difference(norm, six) > 0.1F);
  const auto fusion = cpu::plan_fusion(network, Phase::infer);
  CHECK(fusion.value[3] == 1);
  CHECK(fusion.norm[1] == 2);
  CHECK(fusion.relu6[1]);
}

TEST_CASE("cpu fusion: parameters read back as they were set, and are used when set late") {
  const auto network = normalised();
  const auto batch = test::noise_batch(network, items);
  cpu::CpuEngine engine(network, inference(), true);
  const auto before = engine.evaluate(batch.view()).loss.value();
  const auto weights = test::noise(10 * 3 * 9, 4);
  const auto scale = test::noise(10, 5);
  engine.set_parameter("conv.weights", weights);
  engine.set_parameter("bn.scale", scale);
  CHECK(engine.parameter("conv.weights") == weights);
  CHECK(engine.parameter("bn.scale") == scale);
  const auto after = engine.evaluate(batch.view()).loss.value();
  CHECK(std::abs(after - before) > 1e-3);
  CHECK(engine.parameter("conv.weights") == weights);
}

// keep_outputs runs the sums by themselves.
TEST_CASE("cpu fusion: residual sums inside convolutions change no score") {
  for (const char* name : {"resnet18", "resnet50", "mobilenet-v2"}) {
    CAPTURE(name);
    const auto network = make_network(name);
    auto options = inference();
    options.batch = 1;
    const auto batch = test::noise_batch(network, 1);
    cpu::CpuEngine fused(network, options);
    cpu::CpuEngine apart(network, options, true);
    disturb(fused);
    disturb(apart);
    const double expected = apart.evaluate(batch.view()).loss.value();
    const double found = fused.evaluate(batch.view()).loss.value();
    CHECK(std::abs(found - expected) < 1e-4 * (1 + std::abs(expected)));
    CHECK(fused.evaluate(batch.view()).loss.value() ==
          test::approx(found));  // nothing is left over
  }
}

TEST_CASE("cpu fusion: every residual sum of ResNet-50 and MobileNetV2 finds its convolution") {
  for (const auto& [name, sums] : {std::pair{"resnet50", 16}, {"mobilenet-v2", 10}}) {
    const auto network = make_network(name);
    const auto inferring = cpu::plan_fusion(network, Phase::infer, false, true);
    const auto training = cpu::plan_fusion(network, Phase::train);
    CHECK(std::count_if(inferring.addend.begin(), inferring.addend.end(), [](int i) {
            return i >= 0;
          }) == sums);
    CHECK(std::count(training.addend.begin(), training.addend.end(), -1) ==
          static_cast<std::ptrdiff_t>(network.layers.size()));
  }
}

// As on a CPU without AVX-512, where oneDNN's reference alone would do both.
TEST_CASE("cpu fusion: sums stay apart from what normalises where no fast convolution does both") {
  const auto network = make_network("resnet50");
  const auto fusion = cpu::plan_fusion(network, Phase::infer, false, false);
  CHECK(std::count(fusion.addend.begin(), fusion.addend.end(), -1) ==
        static_cast<std::ptrdiff_t>(network.layers.size()));
  CHECK(std::count_if(fusion.norm.begin(), fusion.norm.end(), [](int i) { return i >= 0; }) == 53);
}

TEST_CASE("cpu fusion: a fast convolution does both where there is AVX-512") {
  CHECK(cpu::adds_after_norm() == test::cpu_runs_bf16());  // which is for AVX-512 alone too
}

TEST_CASE("cpu fusion: a summand that is read again, or is the input, is not overwritten") {
  NetworkBuilder net("shared", "Shared", {8, 6, 6}, 5);
  const int a = net.convolution("a", net.input(), 8, {.kernel = 3, .pad = 1}, true);
  const int b = net.convolution("b", a, 8, {.kernel = 3, .pad = 1}, true);
  const int sum = net.add("sum", {b, a});
  const int c = net.convolution("c", sum, 8, {.kernel = 3, .pad = 1}, true);
  const int again = net.add("again", {c, a});  // reads a after the first sum
  const int d = net.convolution("d", again, 8, {}, true);
  const int input = net.add("input", {d, net.input()});
  const int e = net.convolution("e", input, 8, {}, true);
  const int itself = net.add("itself", {e, input});  // input is e's own source
  const auto network = net.finish(net.fully_connected("fc", itself, 5));
  const auto fusion = cpu::plan_fusion(network, Phase::infer);
  CHECK(fusion.addend[static_cast<std::size_t>(index_of(network, "b"))] == -1);
  CHECK(fusion.addend[static_cast<std::size_t>(index_of(network, "c"))] == a);
  CHECK(fusion.addend[static_cast<std::size_t>(index_of(network, "d"))] == -1);
  CHECK(fusion.addend[static_cast<std::size_t>(index_of(network, "e"))] == -1);
  const auto batch = test::noise_batch(network, items);
  const auto fused = cpu::CpuEngine(network, inference()).evaluate(batch.view());
  const auto apart = cpu::CpuEngine(network, inference(), true).evaluate(batch.view());
  CHECK(std::abs(fused.loss.value() - apart.loss.value()) < 1e-5);
}
