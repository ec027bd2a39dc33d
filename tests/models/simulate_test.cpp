// The simulator against closed forms and against the analytic composition.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "models/pipeline.h"
#include "models/simulate/pipeline.h"
#include "support/approx.h"

using namespace rightsize;
using namespace rightsize::simulate;

namespace {

Laws data_laws() {
  Laws laws;
  laws.data_cpu_s = 1.4e-3;
  laws.scaling = {0, 0};
  laws.disk = {1.0, 0};
  laws.native_disk.bytes_per_s = 2e9;
  laws.cache.protection = 0.4;
  laws.sharpness = 8;
  return laws;
}

Setting replay_setting(double cpus, double rate, double disk_bytes_per_s) {
  Setting setting;
  setting.workload.engine = EngineKind::replay;
  setting.workload.data = DataFormat::recordio;
  setting.cpus = cpus;
  setting.loader_threads = static_cast<int>(std::ceil(cpus));
  setting.accelerator_items_per_s = rate;
  setting.disk.bytes_per_s = disk_bytes_per_s;
  setting.dataset_items = 2000;
  setting.dataset_bytes = 2000 * 110'000ULL;
  return setting;
}

}  // namespace

TEST_CASE("pipeline: each resource alone sets the pace when it is far the slowest") {
  SimulationOptions options;
  options.items = 8000;
  options.miss_ratio = 1;
  const Laws laws = data_laws();
  CHECK(simulate_pipeline(laws, replay_setting(8, 200, 2e9), options).items_per_s ==
        test::approx(200).epsilon(0.01));
  CHECK(simulate_pipeline(laws, replay_setting(8, 1e5, 20e6), options).items_per_s ==
        test::approx(20e6 / 110e3).epsilon(0.02));
  CHECK(simulate_pipeline(laws, replay_setting(1, 1e5, 1e12), options).items_per_s ==
        test::approx(1 / 1.4e-3).epsilon(0.02));
}

TEST_CASE("pipeline: time is conserved, items are conserved, and a seed gives the same bytes") {
  SimulationOptions options;
  options.items = 6400;
  options.miss_ratio = 0.5;
  const auto a = simulate_pipeline(data_laws(), replay_setting(4, 900, 100e6), options);
  const auto b = simulate_pipeline(data_laws(), replay_setting(4, 900, 100e6), options);
  CHECK(a.items == 6400);
  CHECK(a.accelerator_busy + a.accelerator_wait == test::approx(1.0));
  CHECK(a.items_per_s == b.items_per_s);
  CHECK(a.events == b.events);
  CHECK(a.cpu_busy <= 1.0 + 1e-9);
  CHECK(a.disk_busy <= 1.0 + 1e-9);
}

TEST_CASE("pipeline: the same bytes with every compiler and on every machine") {
  Trace trace;
  SimulationOptions options;
  options.items = 3200;
  options.seed = 42;
  options.miss_ratio = 0.3;
  options.trace = &trace;
  const auto summary = simulate_pipeline(data_laws(), replay_setting(2.5, 1500, 90e6), options);
  std::uint64_t digest = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : chrome_trace(trace, "gpu")) {
    digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  CHECK(digest == 0x2ed6b527503290bbULL);
  CHECK(std::bit_cast<std::uint64_t>(summary.items_per_s) == 0x40976f6292682355ULL);
  CHECK(std::bit_cast<std::uint64_t>(summary.cpu_busy) == 0x3feb11a92153eb32ULL);
}

// 96 threads begin 96 minibatches at once: their wave is not what they keep up.
TEST_CASE("pipeline: many threads of large minibatches are played until they come evenly") {
  auto setting = replay_setting(96, 1e6, 1e12);
  setting.workload.batch = 2048;
  setting.workload.loader_threads = 96;
  SimulationOptions options;
  options.miss_ratio = 0;
  options.items_per_event = 64;
  const auto played = simulate_pipeline(data_laws(), setting, options);
  CHECK(played.cpu_busy > 0.95);
  CHECK(played.items_per_s ==
        test::approx(predicted_items_per_s(data_laws(), setting)).epsilon(0.05));
}

// Two waves and a half in the time of two would be a quarter too fast.
TEST_CASE("pipeline: whole turns of the threads are counted, whatever number is asked for") {
  auto setting = replay_setting(16, 1e6, 1e12);
  setting.workload.batch = 1024;
  SimulationOptions options;
  options.miss_ratio = 0;
  options.items_per_event = 1024;
  for (const std::uint64_t minibatches : {40, 41, 47, 63}) {
    CAPTURE(minibatches);
    options.items = minibatches * 1024;
    const auto played = simulate_pipeline(data_laws(), setting, options);
    CHECK(played.items_per_s == test::approx(16 / 1.4e-3).epsilon(0.02));
  }
}

TEST_CASE("pipeline: minibatches played whole are within 5 % of items played one by one") {
  SimulationOptions options;
  options.items = 64'000;
  for (const double miss : {0.0, 0.4, 1.0}) {
    options.miss_ratio = miss;
    for (const double rate : {400.0, 2000.0, 4000.0}) {
      const auto setting = replay_setting(4, rate, 200e6);
      options.items_per_event = 1;
      const auto items = simulate_pipeline(data_laws(), setting, options);
      options.items_per_event = setting.workload.batch;
      const auto batches = simulate_pipeline(data_laws(), setting, options);
      CAPTURE(miss);
      CAPTURE(rate);
      CHECK(batches.items_per_s == test::approx(items.items_per_s).epsilon(0.05));
      CHECK(batches.events < items.events / 14);
    }
  }
}

TEST_CASE("pipeline: a shallow disk queue lets fewer seeks overlap") {
  auto laws = data_laws();
  laws.disk.read_latency_s = 2e-3;
  SimulationOptions options;
  options.items = 8000;
  options.miss_ratio = 1;
  const auto setting = replay_setting(16, 1e5, 1e9);
  options.disk_queue_depth = 1;
  CHECK(simulate_pipeline(laws, setting, options).items_per_s ==
        test::approx(1 / 2e-3).epsilon(0.03));
  options.disk_queue_depth = 4;
  CHECK(simulate_pipeline(laws, setting, options).items_per_s ==
        test::approx(4 / 2e-3).epsilon(0.03));
}

TEST_CASE("pipeline: measured stragglers stall more than a bell of the same mean") {
  const std::vector<double> stragglers{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 5.5};
  SimulationOptions options;
  options.items = 32'000;
  options.miss_ratio = 0;
  auto setting = replay_setting(4, 4 / 1.4e-3, 1e9);
  setting.workload.batch = 1;
  const auto bell = simulate_pipeline(data_laws(), setting, options);
  options.decode_factors = stragglers;
  const auto measured = simulate_pipeline(data_laws(), setting, options);
  CHECK(measured.items_per_s < bell.items_per_s * 0.98);
  CHECK(measured.ready_batches_most <= 4 + 4);
  CHECK(measured.ready_batches_mean > 0);
}

TEST_CASE("pipeline: where one resource rules, the analytic composition is within 3 %") {
  const Laws laws = data_laws();
  SimulationOptions options;
  options.items = 12'800;
  int checked = 0;
  for (const double cpus : {1.0, 2.0, 4.0, 8.0, 16.0}) {
    for (const double rate : {100.0, 300.0, 1000.0, 4000.0, 20000.0}) {
      for (const double disk : {20e6, 160e6, 1e9, 1e10}) {
        const auto setting = replay_setting(cpus, rate, disk);
        options.miss_ratio = 0.5;
        const auto bounds = bounds_of(laws, setting, options.miss_ratio);
        auto sorted = bounds.items_per_s;
        auto& cpu = sorted[static_cast<std::size_t>(Bound::cpu)];
        auto& loader = sorted[static_cast<std::size_t>(Bound::loader)];
        (cpu < loader ? loader : cpu) = std::numeric_limits<double>::infinity();  // one resource
        std::sort(sorted.begin(), sorted.end());
        if (sorted[1] < 1.5 * sorted[0]) {
          continue;
        }
        const double simulated = simulate_pipeline(laws, setting, options).items_per_s;
        CAPTURE(cpus);
        CAPTURE(rate);
        CAPTURE(disk);
        CHECK(composed_items_per_s(bounds, laws.sharpness) ==
              test::approx(simulated).epsilon(0.03));
        ++checked;
      }
    }
  }
  CHECK(checked > 30);
}

TEST_CASE("pipeline: the analytic composition agrees with the simulator") {
  const Laws laws = data_laws();
  SimulationOptions options;
  options.items = 6400;
  double worst = 0;
  double total = 0;
  int count = 0;
  for (const double cpus : {1.0, 2.0, 4.0, 8.0}) {
    for (const double rate : {300.0, 1000.0, 4000.0}) {
      for (const double disk : {40e6, 160e6, 1e9}) {
        for (const double miss : {0.2, 1.0}) {
          const auto setting = replay_setting(cpus, rate, disk);
          options.miss_ratio = miss;
          const double simulated = simulate_pipeline(laws, setting, options).items_per_s;
          const double composed =
              composed_items_per_s(bounds_of(laws, setting, miss), laws.sharpness);
          const double error = std::abs(std::log(composed / simulated));
          CAPTURE(cpus);
          CAPTURE(rate);
          CAPTURE(disk);
          CAPTURE(miss);
          CHECK(error < 0.25);
          worst = std::max(worst, error);
          total += error;
          ++count;
        }
      }
    }
  }
  CAPTURE(worst);
  CHECK(total / count < 0.06);
}

TEST_CASE("pipeline: simulator and composition agree on slow and fast CPUs, latency and engines") {
  SimulationOptions options;
  options.items = 6400;
  const auto check = [&](const Laws& laws, const Setting& setting, double miss) {
    options.miss_ratio = miss;
    const double simulated = simulate_pipeline(laws, setting, options).items_per_s;
    const double composed = composed_items_per_s(bounds_of(laws, setting, miss), laws.sharpness);
    CAPTURE(simulated);
    CAPTURE(composed);
    CHECK(std::abs(std::log(composed / simulated)) < 0.12);
  };
  auto slow = replay_setting(8, 1e5, 1e12);  // half-speed CPUs, fewer loader threads than CPUs
  slow.cpu_speed = 0.5;
  slow.loader_threads = 2;
  check(data_laws(), slow, 0);
  auto fast = replay_setting(4, 1e5, 1e12);
  fast.cpu_speed = 2;
  check(data_laws(), fast, 0);
  auto far = data_laws();  // a disk with a millisecond to the first byte, many readers
  far.disk.read_latency_s = 1e-3;
  check(far, replay_setting(16, 1e5, 500e6), 1);
  auto engine_laws = data_laws();  // a network on 16 CPUs whose fixed part hardly scales
  engine_laws.compute = {0.08, 0.03};
  engine_laws.scaling = {0.07, 0};
  engine_laws.fixed_scaling = {0.4, 0};
  auto engine = replay_setting(16, 0, 1e12);
  engine.workload.engine = EngineKind::cpu;
  engine.workload.data = DataFormat::synthetic;
  engine.workload.batch = 1;
  engine_laws.data_cpu_s = 0;
  check(engine_laws, engine, 0);
  auto copied = replay_setting(8, 3000, 1e12);  // PCIe slower than the accelerator
  copied.copy_items_per_s = 1000;
  check(data_laws(), copied, 0);
}

TEST_CASE("pipeline: stalls add up to the whole") {
  const auto stalls = simulated_stalls(data_laws(), replay_setting(2, 1000, 60e6));
  const auto whole = [](const StallBreakdown& s) {
    return s.compute + s.exchange + s.launch + s.copy + s.prep_stall + s.fetch_stall;
  };
  CHECK(whole(stalls) == test::approx(1.0));
  auto cluster = replay_setting(16, 300, 1e9);  // always fed
  cluster.exchange_share = 0.25;
  cluster.launch_share = 0.1;
  cluster.copy_items_per_s = 200;  // copies take half as long again as the step
  const auto fed = simulated_stalls(data_laws(), cluster);
  CHECK(whole(fed) == test::approx(1.0));
  CHECK(fed.copy == test::approx(1.0 / 3).epsilon(0.02));
  CHECK(fed.exchange == test::approx(0.25 * 2 / 3).epsilon(0.02));
  CHECK(fed.launch == test::approx(0.1 * 2 / 3).epsilon(0.02));
  CHECK(stalls.fetch_stall > 0.1);
}
