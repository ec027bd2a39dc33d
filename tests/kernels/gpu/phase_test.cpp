// The phases of the GPU engine beside train and infer, against the CPU engine's.
#include <string>

#include <doctest/doctest.h>

#include "device.h"
#include "reference.h"
#include "support/approx.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

// Batch statistics, a maximum and a dropout: all that differs between training mode and inference.
Network small(Optimizer optimizer = Optimizer::sgd) {
  auto net = tiny();
  int x = net.convolution("conv", net.input(), 16, {.kernel = 3, .pad = 1}, false);
  x = net.max_pool("pool", net.relu("relu", net.batch_norm("norm", x)), {.kernel = 2, .stride = 2});
  x = net.dropout("drop", net.relu("relu2", net.fully_connected("hidden", x, 64)), 0.4F);
  return net.finish(net.fully_connected("fc", x, 8), optimizer);
}

EngineOptions options_for(Phase phase) {
  EngineOptions options;
  options.phase = phase;
  options.batch = 8;
  return options;
}

}  // namespace

TEST_CASE(
    "gpu phases: forward and forward_backward do what the CPU engine does, at any precision") {
  if (lacks_gpu()) {
    return;
  }
  for (const auto phase : {Phase::forward, Phase::forward_backward}) {
    for (const auto precision : {Precision::fp32, Precision::fp16, Precision::bf16}) {
      CAPTURE(to_string(phase));
      compare(small(), 8, precision, tolerance_of(precision), phase);
    }
  }
}

TEST_CASE("gpu phases: without an update weights stay, and each step drops other features") {
  if (lacks_gpu()) {
    return;
  }
  const auto network = small();
  const auto batch = test::noise_batch(network, 8);
  for (const auto phase : {Phase::forward, Phase::forward_backward}) {
    CAPTURE(to_string(phase));
    Pair pair(network, options_for(phase), Precision::fp32);
    const auto weights = pair.gpu.parameter("conv.weights");
    double last = 0;
    for (int step = 0; step < 3; ++step) {
      const auto expected = pair.cpu.step(batch.view());
      const auto found = pair.gpu.step(batch.view());
      CHECK(found.loss.value() == test::approx(expected.loss.value()).epsilon(1e-3));
      CHECK(found.loss.value() != last);
      last = found.loss.value();
    }
    CHECK(pair.gpu.parameter("conv.weights") == weights);
    CHECK(pair.gpu.gradient("conv.weights").empty() == !has_backward(phase));
  }
}

TEST_CASE("gpu phases: less is held the less of a step is run") {
  if (lacks_gpu()) {
    return;
  }
  const auto network = make_network("resnet50");
  const auto held = [&](Phase phase) {
    return gpu::GpuEngine(network, options_for(phase), {}).memory_bytes();
  };
  const auto forward = held(Phase::forward);
  const auto backward = held(Phase::forward_backward);
  CHECK(forward < backward);
  CHECK(backward < held(Phase::train));
}

TEST_CASE("gpu phases: training with Adam takes the CPU engine's steps") {
  if (lacks_gpu()) {
    return;
  }
  const auto network = small(Optimizer::adam);
  const auto batch = test::noise_batch(network, 8);
  cpu::CpuEngine cpu(network, options_for(Phase::train));
  gpu::GpuEngine gpu(network, options_for(Phase::train), {});
  for (int i = 0; i < 5; ++i) {
    const auto expected = cpu.step(batch.view());
    CHECK(gpu.step(batch.view()).loss.value() == test::approx(expected.loss.value()).epsilon(5e-3));
  }
}
