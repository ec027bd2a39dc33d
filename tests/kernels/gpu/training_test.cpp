// The GPU engine over several steps: learning, replay, loss scaling, memory.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "device.h"
#include "kernels/cpu/cpu_engine.h"
#include "kernels/gpu/gpu_engine.h"
#include "kernels/networks/builder.h"
#include "support/approx.h"
#include "support/tiny_batch.h"

using namespace rightsize;
using rightsize::test::lacks_gpu;

namespace {

constexpr int items = 24;

Network small_resnet() {
  NetworkBuilder net("small", "Small", {3, 16, 16}, 8);
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
  return net.finish(net.fully_connected("fc", net.global_average_pool("pool", x), 8));
}

EngineOptions training_options(Precision precision = Precision::fp32) {
  EngineOptions options;
  options.batch = items;
  options.precision = precision;
  options.learning_rate = 0.05F;
  return options;
}

}  // namespace

TEST_CASE("gpu training: 60 steps divide the loss by more than ten, at every precision") {
  if (lacks_gpu()) {
    return;
  }
  const auto network = small_resnet();
  const auto batch = test::learnable_batch(network, items);
  for (const auto precision :
       {Precision::fp32, Precision::tf32, Precision::fp16, Precision::bf16}) {
    CAPTURE(to_string(precision));
    gpu::GpuEngine engine(network, training_options(precision), {});
    const auto first = engine.step(batch.view());
    CHECK(first.loss.value() > 1.0);  // near ln 8, as nothing is known yet
    CHECK(first.compute_s > 0);
    CHECK(first.copy_s > 0);
    StepResult last;
    for (int i = 0; i < 60; ++i) {
      last = engine.step(batch.view());
    }
    CHECK(last.loss.value() < first.loss.value() / 10);
    CHECK(last.correct.value() == items);
  }
}

TEST_CASE("gpu training: the losses of the first steps are the CPU engine's") {
  if (lacks_gpu()) {
    return;
  }
  const auto network = small_resnet();
  const auto batch = test::learnable_batch(network, items);
  cpu::CpuEngine cpu(network, training_options());
  gpu::GpuEngine gpu(network, training_options(), {});
  for (int i = 0; i < 5; ++i) {
    const auto expected = cpu.step(batch.view());
    const auto found = gpu.step(batch.view());
    CHECK(found.loss.value() == test::approx(expected.loss.value()).epsilon(5e-3));
  }
}

TEST_CASE("gpu training: a replayed graph does what single launches do") {
  if (lacks_gpu()) {
    return;
  }
  const auto network = small_resnet();
  const auto batch = test::learnable_batch(network, items);
  gpu::GpuEngine replayed(network, training_options(), {.cuda_graph = true});
  gpu::GpuEngine eager(network, training_options(), {.cuda_graph = false});
  CHECK(replayed.software().at("cuda_graph") == "yes");
  CHECK(eager.software().at("cuda_graph") == "no");
  for (int i = 0; i < 5; ++i) {  // the two may have chosen other algorithms: equal but for rounding
    const auto a = replayed.step(batch.view());
    const auto b = eager.step(batch.view());
    CHECK(a.loss.value() == test::approx(b.loss.value()).epsilon(1e-3));
  }
  const auto a = replayed.parameter("a.weights");
  const auto b = eager.parameter("a.weights");
  for (std::size_t i = 0; i < a.size(); ++i) {
    REQUIRE(std::abs(a[i] - b[i]) < 1e-3F);
  }
}

TEST_CASE("gpu training: the update is SGD with momentum and weight decay, by hand") {
  if (lacks_gpu()) {
    return;
  }
  const auto network = small_resnet();
  auto options = training_options();
  options.weight_decay = 0.01F;
  const auto batch = test::learnable_batch(network, items);
  for (const std::string name : {"fc.weights", "fc.bias"}) {
    const float decay = name == "fc.weights" ? options.weight_decay : 0.0F;
    gpu::GpuEngine engine(network, options, {});
    auto expected = engine.parameter(name);
    std::vector<float> velocity(expected.size(), 0.0F);
    for (int step = 0; step < 2; ++step) {
      engine.evaluate(batch.view());
      const auto gradient = engine.gradient(name);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        velocity[i] = options.momentum * velocity[i] + gradient[i] + decay * expected[i];
        expected[i] -= options.learning_rate * velocity[i];
      }
      engine.step(batch.view());
    }
    const auto found = engine.parameter(name);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      REQUIRE(found[i] == test::approx(expected[i]).epsilon(1e-3).scale(0.1));
    }
  }
}

TEST_CASE("gpu training: FP16 skips a step whose gradients are not finite, and says so") {
  if (lacks_gpu()) {
    return;
  }
  const auto network = small_resnet();
  const auto batch = test::learnable_batch(network, items);
  gpu::GpuEngine engine(network, training_options(Precision::fp16), {});
  engine.step(batch.view());
  CHECK(!engine.overflowed());
  const auto good = engine.parameter("fc.weights");
  engine.set_parameter("fc.weights", std::vector<float>(good.size(), 6e4F));  // scores overflow
  const auto before = engine.parameter("a.weights");
  engine.step(batch.view());
  CHECK(engine.overflowed());
  CHECK(engine.parameter("a.weights") == before);
  engine.set_parameter("fc.weights", good);
  engine.step(batch.view());
  CHECK(!engine.overflowed());
  CHECK(engine.parameter("a.weights") != before);
}

TEST_CASE("gpu training: evaluation changes no weight and repeats itself") {
  if (lacks_gpu()) {
    return;
  }
  const auto network = small_resnet();
  const auto batch = test::learnable_batch(network, items);
  gpu::GpuEngine engine(network, training_options(), {});
  const auto weights = engine.parameter("b.weights");
  const auto first = engine.evaluate(batch.view());
  const auto second = engine.evaluate(batch.view());
  CHECK(first.loss.value() == test::approx(second.loss.value()).epsilon(1e-5));
  CHECK(engine.parameter("b.weights") == weights);
}

TEST_CASE("gpu memory: too much for the limit or the device is OutOfMemory, and others go on") {
  if (lacks_gpu()) {
    return;
  }
  const auto network = small_resnet();
  auto options = training_options();
  options.device_memory_limit_bytes = std::uint64_t{33} << 20;
  CHECK_THROWS_WITH_AS(
      gpu::GpuEngine(network, options, {}), doctest::Contains("raise the limit"), OutOfMemory);
  options = training_options();
  options.batch = 200'000;
  CHECK_THROWS_WITH_AS(gpu::GpuEngine(make_network("resnet50"), options, {}),
                       doctest::Contains("use a smaller batch"),
                       OutOfMemory);
  gpu::GpuEngine engine(network, training_options(), {});
  const auto batch = test::learnable_batch(network, items);
  CHECK(engine.step(batch.view()).loss.value() > 0);
  CHECK(engine.memory_bytes() > 0);
}

TEST_CASE("gpu memory: inference and half precision need less than training in FP32") {
  if (lacks_gpu()) {
    return;
  }
  const auto network = make_network("resnet50");
  auto options = training_options();
  const auto full = gpu::GpuEngine(network, options, {}).memory_bytes();
  options.precision = Precision::fp16;
  const auto half = gpu::GpuEngine(network, options, {}).memory_bytes();
  options.phase = Phase::infer;
  const auto inference = gpu::GpuEngine(network, options, {}).memory_bytes();
  CHECK(half < full);
  CHECK(inference < half);
}

TEST_CASE("gpu engine: mistakes are refused with a sentence, and the versions are told") {
  if (lacks_gpu()) {
    return;
  }
  const auto network = small_resnet();
  gpu::GpuEngine engine(network, training_options(), {});
  const auto few = test::noise_batch(network, items - 1);
  CHECK_THROWS_WITH_AS(engine.step(few.view()), doctest::Contains("23 labels"), EngineError);
  auto wrong = test::noise_batch(network, items);
  wrong.labels[3] = 8;
  CHECK_THROWS_WITH_AS(engine.step(wrong.view()), doctest::Contains("label 8"), EngineError);
  CHECK_THROWS_WITH_AS(static_cast<void>(engine.parameter("nobody")),
                       doctest::Contains("no parameter \"nobody\""),
                       EngineError);
  CHECK_THROWS_WITH_AS(static_cast<void>(engine.output("a")),
                       doctest::Contains("outputs share memory"),
                       EngineError);
  auto elsewhere = training_options();
  elsewhere.device = 1000;
  CHECK_THROWS_WITH_AS(
      gpu::GpuEngine(network, elsewhere, {}), doctest::Contains("device 1000"), EngineError);
  const auto software = engine.software();
  CHECK(software.at("cudnn").starts_with("9."));
  CHECK(!software.at("gpu").empty());
  CHECK(software.count("attention") == 0);  // this network has none
}
