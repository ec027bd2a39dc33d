// The simulator against closed forms and against the analytic composition.
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "models/pipeline.h"
#include "models/simulate/event_queue.h"
#include "models/simulate/pipeline.h"
#include "models/simulate/random.h"
#include "models/simulate/resources.h"

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

TEST_CASE("event queue: equal times leave in the order they came") {
  EventQueue queue;
  queue.at(5, 0, 1);
  queue.at(3, 0, 2);
  queue.at(5, 0, 3);
  CHECK(queue.next().actor == 2);
  CHECK(queue.next().actor == 1);
  CHECK(queue.next().actor == 3);
  CHECK(queue.now() == 5);
}

TEST_CASE("cpu pool: two jobs on one core take turns") {
  EventQueue queue;
  CpuPool pool(queue, 1.0, 0);
  pool.start(1, 1.0);
  pool.start(2, 3.0);
  std::vector<std::pair<int, double>> finished;
  while (!queue.empty()) {
    const auto event = queue.next();
    const int actor = pool.complete(event);
    if (actor >= 0) {
      finished.emplace_back(actor, to_seconds(queue.now()));
    }
  }
  REQUIRE(finished.size() == 2);
  CHECK(finished[0].second == doctest::Approx(2.0));  // shares the core until then
  CHECK(finished[1].second == doctest::Approx(4.0));
  CHECK(pool.busy_core_seconds() == doctest::Approx(4.0));
}

TEST_CASE("cpu pool: M/M/1 processor sharing has the mean sojourn time 1 / (mu - lambda)") {
  // M/M/1-PS has the same mean response as FCFS (Kleinrock, Queueing Systems vol. 2, eq. 4.15).
  EventQueue queue;
  CpuPool pool(queue, 1.0, 1);
  Random random(11);
  const auto exponential = [&](double mean) { return -mean * std::log(1.0 - random.uniform()); };
  const double mu = 1.0;
  const double lambda = 0.7;
  const int jobs = 200'000;
  std::vector<Nanoseconds> arrived(jobs);
  double total_s = 0;
  int done = 0;
  int next = 0;
  queue.at(0, 0, next);
  while (done < jobs) {
    const auto event = queue.next();
    if (event.kind == 0) {
      arrived[static_cast<std::size_t>(next)] = queue.now();
      pool.start(next, exponential(1 / mu));
      if (++next < jobs) {
        queue.at(queue.now() + from_seconds(exponential(1 / lambda)), 0, next);
      }
    } else if (const int actor = pool.complete(event); actor >= 0) {
      total_s += to_seconds(queue.now() - arrived[static_cast<std::size_t>(actor)]);
      ++done;
    }
  }
  CHECK(total_s / jobs == doctest::Approx(1 / (mu - lambda)).epsilon(0.04));
}

TEST_CASE("disk: M/D/1 waits rho / (2 mu (1 - rho)) on average") {
  EventQueue queue;
  DiskQueue disk(queue, 1);
  Random random(5);
  const double service_s = 1.0;
  const double rho = 0.8;
  const int requests = 200'000;
  std::vector<Nanoseconds> arrived(requests);
  double total_s = 0;
  int done = 0;
  int next = 0;
  queue.at(0, 0, 0);
  while (done < requests) {
    const auto event = queue.next();
    if (event.kind == 0) {
      arrived[static_cast<std::size_t>(next)] = queue.now();
      disk.start(next, service_s);
      if (++next < requests) {
        const double gap = -std::log(1.0 - random.uniform()) * service_s / rho;
        queue.at(queue.now() + from_seconds(gap), 0, next);
      }
    } else {
      const int actor = disk.complete(event);
      total_s += to_seconds(queue.now() - arrived[static_cast<std::size_t>(actor)]);
      ++done;
    }
  }
  const double expected_wait = rho / (2 * (1 - rho)) * service_s;  // Pollaczek-Khinchine
  CHECK(total_s / requests - service_s == doctest::Approx(expected_wait).epsilon(0.05));
}

TEST_CASE("pipeline: each resource alone sets the pace when it is far the slowest") {
  SimulationOptions options;
  options.items = 8000;
  options.miss_ratio = 1;
  const Laws laws = data_laws();
  CHECK(simulate_pipeline(laws, replay_setting(8, 200, 2e9), options).items_per_s ==
        doctest::Approx(200).epsilon(0.01));
  CHECK(simulate_pipeline(laws, replay_setting(8, 1e5, 20e6), options).items_per_s ==
        doctest::Approx(20e6 / 110e3).epsilon(0.02));
  CHECK(simulate_pipeline(laws, replay_setting(1, 1e5, 1e12), options).items_per_s ==
        doctest::Approx(1 / 1.4e-3).epsilon(0.02));
}

TEST_CASE("pipeline: time is conserved, items are conserved, and a seed gives the same bytes") {
  SimulationOptions options;
  options.items = 6400;
  options.miss_ratio = 0.5;
  const auto a = simulate_pipeline(data_laws(), replay_setting(4, 900, 100e6), options);
  const auto b = simulate_pipeline(data_laws(), replay_setting(4, 900, 100e6), options);
  CHECK(a.items == 6400);
  CHECK(a.accelerator_busy + a.accelerator_wait == doctest::Approx(1.0));
  CHECK(a.items_per_s == b.items_per_s);
  CHECK(a.events == b.events);
  CHECK(a.cpu_busy <= 1.0 + 1e-9);
  CHECK(a.disk_busy <= 1.0 + 1e-9);
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
  CHECK(stalls.compute + stalls.prep_stall + stalls.fetch_stall == doctest::Approx(1.0));
  CHECK(stalls.fetch_stall > 0.1);
}
