#include "kernels/engine.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <oneapi/dnnl/dnnl_version.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "kernels/gpu/plugin_loader.h"
#include "kernels/networks/builder.h"
#include "profiler/quantile.h"
#include "support/approx.h"
#include "support/tiny_batch.h"

using namespace rightsize;

namespace {

Network tiny() {
  NetworkBuilder net("tiny", "Tiny", {3, 8, 8}, 4);
  return net.finish(net.fully_connected("fc", net.input(), 4));
}

EngineOptions replay_options(int batch, double rate) {
  EngineOptions options;
  options.batch = batch;
  options.replay_items_per_s = rate;
  return options;
}

}  // namespace

TEST_CASE("engine: a step of the CPU engine reports loss, hits, time, memory and versions") {
  const auto network = tiny();
  EngineOptions options;
  options.batch = 5;
  options.threads = 1;
  const auto engine = make_engine(EngineKind::cpu, network, options);
  const auto result = engine->step(test::noise_batch(network, 5).view());
  CHECK(result.loss.value() > 0);
  CHECK(result.correct.value() >= 0);
  CHECK(result.compute_s > 0);
  CHECK(engine->memory_bytes() >= 3 * 4 * (192 * 4 + 4));  // weights, gradients, momenta
  CHECK(engine->software().at("oneDNN").starts_with(fmt::format("{}.", DNNL_VERSION_MAJOR)));
  CHECK(engine->software().at("threads") == "1");
  CHECK(!engine->software().at("isa").empty());
}

TEST_CASE("engine: a batch too large for this machine is OutOfMemory, at once") {
  EngineOptions options;
  options.batch = 1'000'000;
  const auto start = std::chrono::steady_clock::now();
  CHECK_THROWS_WITH_AS(
      static_cast<void>(make_engine(EngineKind::cpu, make_network("resnet50"), options)),
      doctest::Contains("use a smaller batch"),
      OutOfMemory);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}

TEST_CASE("engine: what the CPU engine cannot do is an EngineError that names the remedy") {
  const auto network = tiny();
  const auto fails = [&](const EngineOptions& options, const char* text) {
    CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(EngineKind::cpu, network, options)),
                         doctest::Contains(text),
                         EngineError);
  };
  EngineOptions options;
  options.precision = Precision::fp16;
  fails(options, "fp16 in train is unsupported; use precision fp32");
  options = {};
  options.phase = Phase::preprocess;
  fails(options, "preprocess runs no network");
  options = {};
  options.batch = 0;
  fails(options, "batch is 0");
}

TEST_CASE("engine: a batch that does not fit its engine is refused before it is read") {
  const auto network = tiny();
  EngineOptions options;
  options.batch = 5;
  const auto engine = make_engine(EngineKind::cpu, network, options);
  const auto four = test::noise_batch(network, 4);
  CHECK_THROWS_WITH_AS(engine->step(four.view()), doctest::Contains("4 labels"), EngineError);
  auto wrong = test::noise_batch(network, 5);
  wrong.labels[3] = 4;
  CHECK_THROWS_WITH_AS(engine->step(wrong.view()),
                       doctest::Contains("label 4 is not one of 4 classes"),
                       EngineError);
}

TEST_CASE("engine: without a GPU the factory says why and names the way out") {
  const auto probe = probe_gpu();
  if (!probe.devices.empty()) {
    MESSAGE("skipped: this machine has a GPU");
    return;
  }
  CHECK_FALSE(probe.reason.empty());
  CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(EngineKind::gpu, tiny(), {})),
                       doctest::Contains(probe.reason.c_str()),
                       EngineError);
}

TEST_CASE("replay: a step of 2 ms or more takes its time within 2 %") {
  const auto network = tiny();
  for (const double step_s : {0.002, 0.010}) {
    const auto engine = make_engine(EngineKind::replay, network, replay_options(4, 4 / step_s));
    const auto batch = test::noise_batch(network, 4);
    std::vector<double> times;
    for (int i = 0; i < 41; ++i) {
      const auto result = engine->step(batch.view());
      CHECK(result.compute_s >= step_s);  // never early
      CHECK(result.copy_s >= 0);
      CHECK(!result.loss);
      times.push_back(result.compute_s);
    }
    CHECK(median(times) == test::approx(step_s).epsilon(0.02));
  }
}

TEST_CASE("replay: the copy of a large batch is really made and grows with it") {
  NetworkBuilder net("wide", "Wide", {3, 256, 256}, 4);
  const auto network = net.finish(net.fully_connected("fc", net.input(), 4));
  const auto copy_time = [&](int items) {
    const auto engine = make_engine(EngineKind::replay, network, replay_options(items, 1e6));
    const auto batch = test::noise_batch(network, items);
    std::vector<double> times;
    for (int i = 0; i < 15; ++i) {
      times.push_back(engine->step(batch.view()).copy_s);
    }
    CHECK(engine->memory_bytes() == static_cast<std::uint64_t>(items) * (3 * 256 * 256 * 4 + 4));
    return median(times);
  };
  CHECK(copy_time(32) > 3 * copy_time(2));
}

TEST_CASE("replay: a copy that a rate counts is part of its time") {
  NetworkBuilder net("wide", "Wide", {3, 256, 256}, 4);
  const auto network = net.finish(net.fully_connected("fc", net.input(), 4));
  constexpr double step_s = 0.1;  // far longer than copying 16 inputs
  auto options = replay_options(16, 16 / step_s);
  options.replay_hides_copy = true;
  const auto engine = make_engine(EngineKind::replay, network, options);
  const auto batch = test::noise_batch(network, 16);
  double least_s = 1;
  for (int i = 0; i < 9; ++i) {
    const auto result = engine->step(batch.view());
    CHECK(result.copy_s > 0);
    CHECK(result.copy_s + result.compute_s >= step_s);  // never early
    least_s = std::min(least_s, result.copy_s + result.compute_s);
  }
  CHECK(least_s == test::approx(step_s).epsilon(0.02));  // others on the machine come late
}

TEST_CASE("replay: a missing rate is refused") {
  CHECK_THROWS_WITH_AS(
      static_cast<void>(make_engine(EngineKind::replay, tiny(), replay_options(4, 0))),
      doctest::Contains("set replay_items_per_s"),
      EngineError);
}
