// How fast the simulator and the analytic prediction are, on one core: events per second against a
// textbook heap (heap_pipeline.h) in the same run, an epoch of ImageNet, memory against the
// simulated length, time and allocations of one prediction.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <new>

#include <fmt/format.h>
#include <sys/resource.h>

#include "bench/timing.h"
#include "heap_pipeline.h"
#include "models/laws/spot.h"
#include "models/pipeline.h"
#include "models/simulate/pipeline.h"
#include "models/simulate/serving.h"

using namespace rightsize;

namespace {

std::size_t allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size > 0 ? size : 1); memory != nullptr) {
    return memory;
  }
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace {

Laws laws() {
  Laws result;
  result.data_cpu_s = 1.4e-3;
  result.disk = {1.0, 0};
  result.native_disk.bytes_per_s = 2e9;
  result.cache.protection = 0.4;
  return result;
}

Setting setting(int workers, double items_per_s) {
  Setting result;
  result.workload.engine = EngineKind::replay;
  result.workload.data = DataFormat::recordio;
  result.workload.batch = 256;
  result.cpus = workers;
  result.loader_threads = workers;
  result.accelerator_items_per_s = items_per_s;
  result.disk.bytes_per_s = 1e9;
  result.dataset_items = 1'281'167;
  result.dataset_bytes = 140'000'000'000;
  result.memory_bytes = 64ULL << 30;
  return result;
}

void compare(int workers, double miss) {
  constexpr std::uint64_t items = 2'000'000;
  const auto asked = setting(workers, 5e4);
  SimulationOptions options;
  options.items = items;
  options.warmup_share = 0;
  options.miss_ratio = miss;
  SimulationSummary ours;
  bench::HeapRun heap;
  double ours_s = 1e9;
  double heap_s = 1e9;
  for (int repeat = 0; repeat < 5; ++repeat) {  // in turns, as others use the machine too
    ours_s =
        std::min(ours_s, bench::seconds([&] { ours = simulate_pipeline(laws(), asked, options); }));
    heap_s = std::min(
        heap_s, bench::seconds([&] { heap = bench::heap_pipeline(laws(), asked, items, miss); }));
  }
  const double ours_rate = static_cast<double>(ours.events) / ours_s * 1e-6;
  const double heap_rate = static_cast<double>(heap.live_events) / heap_s * 1e-6;
  fmt::print("{:>7} {:>6.0f} {:>12.1f} {:>12.1f} {:>12.1f} {:>8.1f}x {:>10.1f} {:>10.1f}\n",
             workers,
             100 * miss,
             ours_rate,
             heap_rate,
             static_cast<double>(heap.events) / heap_s * 1e-6,
             heap_s / ours_s,
             ours.items_per_s,
             heap.items_per_s);
}

long peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

void epoch(int items_per_event, const char* granularity) {
  SimulationOptions options;
  options.items = 5005 * 256;
  options.warmup_share = 0;
  options.items_per_event = items_per_event;
  const auto asked = setting(16, 3000);
  SimulationSummary summary;
  const double took =
      bench::best_of(5, [&] { summary = simulate_pipeline(laws(), asked, options); });
  fmt::print("an epoch of ImageNet, 5005 steps of 256, {}: {:.2f} ms ({:.0f} items/s)\n",
             granularity,
             took * 1e3,
             summary.items_per_s);
}

void memory() {
  SimulationOptions options;
  options.miss_ratio = 0.5;
  for (const std::uint64_t items : {100'000ULL, 1'000'000ULL, 10'000'000ULL}) {
    options.items = items;
    const auto before = allocations;
    const auto summary = simulate_pipeline(laws(), setting(16, 3000), options);
    fmt::print("{:>9} items, {:>6.0f} simulated seconds: {} allocations, peak {} KiB\n",
               items,
               summary.seconds,
               allocations - before,
               peak_kib());
  }
}

void predictions() {
  constexpr int candidates = 100'000;
  auto asked = setting(16, 3000);
  const auto with = laws();
  double sum = 0;
  std::size_t allocated = 0;
  const double took = bench::best_of(5, [&] {
    const auto before = allocations;
    for (int i = 0; i < candidates; ++i) {
      asked.cpus = 1 + i % 128;
      asked.loader_threads = 1 + i % 128;
      asked.accelerator_items_per_s = 500 + i % 7919;
      sum += predicted_items_per_s(with, asked);
    }
    allocated = allocations - before;
  });
  fmt::print(
      "{} candidates by the analytic law: {:.1f} ms, {:.0f} ns each, {} allocations (mean "
      "{:.0f})\n",
      candidates,
      took * 1e3,
      took / candidates * 1e9,
      allocated,
      sum / candidates / 6);
}

void serving() {
  constexpr StepTimeLaw time{4e-3, 0.25e-3};
  constexpr int candidates = 10'000;
  double sum = 0;
  const auto each_us = [&](const std::function<double(double)>& one) {
    return 1e6 / candidates * bench::best_of(5, [&] {
             for (int i = 0; i < candidates; ++i) {
               sum += one(100 + 0.2 * i);
             }
           });
  };
  ServingLoad load{.max_batch = 32, .max_delay_s = 2e-3};
  const double point_us = each_us([&](double rate) {
    load.requests_per_s = rate;
    return serve(time, load).p99_s;
  });
  const double largest_us =
      each_us([&](double rate) { return largest_requests_per_s(time, load, 1.0 / rate + 10e-3); });
  const double machines_us = each_us([&](double rate) {
    load.requests_per_s = 10 * rate;
    return machines_needed(time, load, 20e-3);
  });
  load.replicas = 8;
  const double shared_us = each_us([&](double rate) {
    load.requests_per_s = 8 * rate;
    return serve(time, load).p99_s;
  });
  load.replicas = 1;
  load.requests_per_s = 1500;
  ServingOptions options;
  options.requests = 1'000'000;
  std::uint64_t events = 0;
  const double played_s =
      bench::best_of(5, [&] { events = simulate_serving(time, load, options).events; });
  fmt::print(
      "serving: a point {:.2f} us, of eight replicas {:.2f} us, the largest load for a p99 {:.2f} "
      "us, "
      "how many replicas {:.2f} us (checksum {:.3g}); a fleet plays {:.1f} M events/s\n",
      point_us,
      shared_us,
      largest_us,
      machines_us,
      sum,
      static_cast<double>(events) / played_s * 1e-6);
}

void spot() {
  constexpr int candidates = 1000;
  const SpotTerms terms{.interruptions_per_hour = 0.05, .checkpoint_s = 60, .restart_s = 300};
  for (const double hours : {10.0, 100.0}) {
    double sum = 0;
    const double each_s = bench::best_of(5, [&] {
      for (int i = 0; i < candidates; ++i) {
        sum += spot_time(terms, hours + i * 1e-3).p90_h;
      }
    });
    fmt::print("spot: {:.0f} hours by the exact recursion {:.1f} us (checksum {:.3g})\n",
               hours,
               each_s / candidates * 1e6,
               sum);
  }
}

}  // namespace

int main() {
  fmt::print(
      "workers  miss%   ours M ev/s  heap M ev/s  with stale    faster    items/s    heap's\n");
  for (const double miss : {0.0, 0.5, 1.0}) {
    compare(4, miss);
    compare(64, miss);
  }
  epoch(1, "item by item");
  epoch(256, "batch by batch");
  memory();
  predictions();
  serving();
  spot();
}
