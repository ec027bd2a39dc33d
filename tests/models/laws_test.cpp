// The laws against closed forms, Monte Carlo and each other.
#include <algorithm>
#include <cmath>
#include <limits>
#include <list>
#include <numeric>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "models/laws/disk.h"
#include "models/laws/exchange.h"
#include "models/laws/host_cpu.h"
#include "models/laws/page_cache.h"
#include "models/laws/step_time.h"
#include "models/pipeline.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

// Hit ratio of a real LRU of `capacity` items over fresh permutations, after two warm-up epochs.
double simulated_lru_hit_ratio(int items, int capacity, int epochs) {
  std::mt19937 random(7);
  std::vector<int> order(static_cast<std::size_t>(items));
  std::iota(order.begin(), order.end(), 0);
  std::list<int> recency;
  std::vector<std::list<int>::iterator> place(order.size(), recency.end());
  long hits = 0;
  for (int epoch = 0; epoch < epochs + 2; ++epoch) {
    std::shuffle(order.begin(), order.end(), random);
    for (const int item : order) {
      auto& where = place[static_cast<std::size_t>(item)];
      if (where != recency.end()) {
        hits += epoch >= 2 ? 1 : 0;
        recency.erase(where);
      } else if (static_cast<int>(recency.size()) == capacity) {
        place[static_cast<std::size_t>(recency.back())] = recency.end();
        recency.pop_back();
      }
      recency.push_front(item);
      where = recency.begin();
    }
  }
  return static_cast<double>(hits) / (static_cast<double>(items) * epochs);
}

}  // namespace

TEST_CASE("page cache: the permutation formula agrees with a simulated LRU") {
  for (const double cached : {0.2, 0.5, 0.8, 0.95}) {
    const int items = 2000;
    const double simulated = simulated_lru_hit_ratio(items, static_cast<int>(cached * items), 20);
    CHECK(lru_permutation_hit_ratio(cached) == test::approx(simulated).epsilon(0.02));
  }
}

TEST_CASE("page cache: nothing is hit when nothing fits and everything when all fits") {
  const PageCacheLaw law;
  for (const bool shuffled : {true, false}) {
    CHECK(page_cache_hit_ratio(law, 0, shuffled) == 0);
    CHECK(page_cache_hit_ratio(law, 1, shuffled) == 1);
    CHECK(page_cache_hit_ratio(law, 3, shuffled) == 1);
  }
  CHECK(page_cache_hit_ratio(law, 0.99, false) == 0);  // sequential thrash
}

TEST_CASE("page cache: the hit ratio rises with memory and stays between LRU and random eviction") {
  const PageCacheLaw law{0.4};
  double before = 0;
  for (double cached = 0.05; cached < 1; cached += 0.05) {
    const double hit = page_cache_hit_ratio(law, cached, true);
    CHECK(hit > before);
    CHECK(hit >= lru_permutation_hit_ratio(cached));
    CHECK(hit <= cached);
    before = hit;
  }
}

TEST_CASE("host cpu: without contention n vCPUs do n times the work") {
  CHECK(cpu_capacity({0, 0}, 16) == test::approx(16));
  CHECK(cpu_capacity({0.1, 0.01}, 0.5) == test::approx(0.5));
}

TEST_CASE("host cpu: beyond the vCPUs measured another contention counts, without a jump") {
  CpuScalingLaw law;
  law.contention = 0.064;
  law.measured_cpus = 2;
  law.beyond = 0.005;
  CHECK(cpu_capacity(law, 2) == test::approx(2 / 1.064));
  CHECK(cpu_capacity(law, 2.0001) == test::approx(cpu_capacity(law, 2)).epsilon(1e-3));
  CHECK(cpu_capacity(law, 192) == test::approx(2 / 1.064 * 96 * 1.005 / 1.955));
  CpuScalingLaw all_measured = law;
  all_measured.measured_cpus = 192;
  CHECK(cpu_capacity(all_measured, 192) < cpu_capacity(law, 192));
}

TEST_CASE("host cpu: beyond the largest machine published each vCPU does as much as there") {
  CpuScalingLaw law;
  law.measured_cpus = 2;
  law.beyond = 0.005;
  const double each = cpu_capacity(law, 256) / 256;
  CHECK(cpu_capacity(law, 512) == test::approx(512 * each));
  CHECK(cpu_capacity(law, 1024) == test::approx(1024 * each));
  CHECK(cpu_capacity(law, 257) == test::approx(cpu_capacity(law, 256)).epsilon(0.005));
  CHECK(cpu_capacity(law, 128) / 128 > each);
  law.measured_cpus = 300;  // what was measured is not overruled
  CHECK(cpu_capacity(law, 600) == test::approx(2 * cpu_capacity(law, 300)));
}

TEST_CASE("host cpu: a quota loses a share of the time that it stops the CPUs for") {
  CpuScalingLaw law;
  law.quota_loss = 0.08;
  CHECK(cpu_capacity(law, 0.5) == test::approx(0.5 / 1.08));
  CHECK(cpu_capacity(law, 1.5) == test::approx(1.5 / (1 + 0.08 / 3)));
  CHECK(cpu_capacity(law, 1) == 1);
  CHECK(cpu_capacity(law, 2) == 2);
  CHECK(cpu_capacity(law, 0.9999) == test::approx(1).epsilon(1e-3));
  // A quota beyond whole CPUs does no less than they.
  CHECK(cpu_capacity(law, 1.01) == 1);
  CHECK(cpu_capacity(law, 2.02) == 2);
  // Of a hundredth of a vCPU most is lost, never all, and more of a larger loss.
  CHECK(cpu_capacity(law, 0.01) == test::approx(0.01 / (1 + 0.08 * 99)));
  CHECK(cpu_capacity({0, 0, 2, 0, 0.16}, 0.01) < cpu_capacity(law, 0.01));
}

TEST_CASE("host cpu: the law is trusted less with each doubling of the vCPUs measured") {
  CpuScalingLaw law;
  law.measured_cpus = 4;
  CHECK(unmeasured_log_sd(law, 0.5) == 0);
  CHECK(unmeasured_log_sd(law, 4) == 0);
  CHECK(unmeasured_log_sd(law, 8) == test::approx(0.04));
  CHECK(unmeasured_log_sd(law, 64) == test::approx(0.08));
}

TEST_CASE("host cpu: contention follows Amdahl and coherency turns the curve down") {
  const double serial = 0.1;
  CHECK(cpu_capacity({serial, 0}, 8) == test::approx(1 / (serial + (1 - serial) / 8)));
  const CpuScalingLaw turning{0.02, 0.0005};
  const double peak = std::sqrt((1 - turning.contention) / turning.coherency);
  CHECK(cpu_capacity(turning, peak) > cpu_capacity(turning, peak / 2));
  CHECK(cpu_capacity(turning, peak) > cpu_capacity(turning, peak * 2));
}

TEST_CASE("disk: bandwidth bounds large items and IOPS bound small ones") {
  const DiskLaw law{1.0, 0};
  CHECK(disk_items_per_s({100e6, 0, 0}, law, 1e6, 1) == test::approx(100));
  CHECK(disk_items_per_s({100e6, 500, 0}, law, 1e3, 1) == test::approx(500));
  CHECK(disk_items_per_s({100e6, 500, 0, 100e3}, law, 1e6, 1) == test::approx(50));
}

TEST_CASE("disk: half the misses double the rate and no miss asks nothing of it") {
  const DiskLaw law{0.9, 1e-4};
  const DiskSpeed disk{80e6, 3000, 0};
  CHECK(disk_items_per_s(disk, law, 110e3, 0.5) ==
        test::approx(2 * disk_items_per_s(disk, law, 110e3, 1)));
  CHECK(std::isinf(disk_items_per_s(disk, law, 110e3, 0)));
  CHECK(disk_seconds_per_item(disk, law, 110e3, 0) == 0);
}

// gp2 of 100 GiB: 300 requests a second earned, 3000 spent, 5.4 million saved up: the burst lasts
// 5.4e6 / 2700 = 2000 s; over 6000 s the average is 300 + 5.4e6 / 6000 = 1200.
TEST_CASE("disk: credits lift the average of a short job, and less and less of a long one") {
  const DiskSpeed gp2{128e6, 300, 0, 0, 3000, 5.4e6};
  CHECK(averaged(gp2, 60).iops == test::approx(3000));
  CHECK(averaged(gp2, 2000).iops == test::approx(3000));
  CHECK(averaged(gp2, 6000).iops == test::approx(1200));
  CHECK(averaged(gp2, 1e9).iops == test::approx(300).epsilon(0.001));
  CHECK(averaged({128e6, 300}, 60).iops == test::approx(300));
}

TEST_CASE("disk: the founding report's 80 MB/s disk caps 187 KB datums at 427 images/s") {
  CHECK(disk_items_per_s({80e6, 0, 0}, {1, 0}, 187.33e3, 1) == test::approx(427).epsilon(0.01));
}

TEST_CASE("step time: half of the asymptotic rate is reached at Hockney's n_1/2") {
  const StepTimeLaw law{0.02, 0.001};
  const double batch = law.fixed_s / law.per_item_s;
  CHECK(batch / step_seconds(law, batch) == test::approx(0.5 / law.per_item_s));
}

TEST_CASE("exchange: one GPU exchanges nothing and many approach twice the gradient") {
  const Link link{10e9, 0};
  CHECK(ring_all_reduce_seconds(link, 1, 1e8) == 0);
  CHECK(ring_all_reduce_seconds(link, 2, 1e8) == test::approx(1e8 / 10e9));
  CHECK(ring_all_reduce_seconds(link, 1000, 1e8) == test::approx(2e8 / 10e9).epsilon(0.01));
}

TEST_CASE("pipeline: the composition never exceeds its lowest bound and tends to it") {
  Bounds bounds = unlimited();
  bounds[Bound::cpu] = 100;
  bounds[Bound::disk] = 120;
  CHECK(composed_items_per_s(bounds, 8) < 100);
  CHECK(composed_items_per_s(bounds, 200) == test::approx(100).epsilon(1e-3));
  bounds[Bound::disk] = std::numeric_limits<double>::infinity();
  CHECK(composed_items_per_s(bounds, 8) == test::approx(100));
  CHECK(bottleneck(bounds) == Bound::cpu);
}

TEST_CASE("pipeline: CPUs and the threads that load on them are one resource, not two") {
  Bounds bounds = unlimited();
  bounds[Bound::cpu] = 100;
  bounds[Bound::loader] = 100;
  CHECK(composed_items_per_s(bounds, 8) == test::approx(100));
  bounds[Bound::accelerator] = 100;
  CHECK(composed_items_per_s(bounds, 8) == test::approx(100 * std::pow(2, -1.0 / 8)));
  const auto shares = time_shares(utilisation(bounds, composed_items_per_s(bounds, 8)));
  CHECK(shares[static_cast<std::size_t>(Bound::cpu)] == test::approx(0.5));
  CHECK(shares[static_cast<std::size_t>(Bound::loader)] == 0);
  CHECK(shares[static_cast<std::size_t>(Bound::accelerator)] == test::approx(0.5));
}

// The derivative that they are said to be, held against differences.
TEST_CASE("pipeline: what each bound has of the rate") {
  const double sharpness = 6;
  for (const double cpu : {800.0, 1000.0, 1500.0}) {
    Bounds bounds = unlimited();
    bounds[Bound::disk] = 1200;
    bounds[Bound::cpu] = cpu;
    bounds[Bound::loader] = 1100;
    bounds[Bound::accelerator] = 1000;
    const double rate = composed_items_per_s(bounds, sharpness);
    const auto shares = bound_shares(bounds, rate, sharpness);
    double sum = 0;
    for (std::size_t i = 0; i < bound_count; ++i) {
      CAPTURE(i);
      constexpr double step = 1e-5;
      Bounds moved = bounds;
      moved.items_per_s[i] *= 1 + step;
      const double slope =
          std::log(composed_items_per_s(moved, sharpness) / rate) / std::log1p(step);
      CHECK(shares[i] == test::approx(slope).epsilon(1e-3));
      sum += shares[i];
    }
    CHECK(sum == test::approx(1));
  }
  CHECK(bound_shares(unlimited(), 1, sharpness)[0] == 0);
}
