// The largest load and the fewest replicas for a latency, which searches find on the law of
// serving.
#include <random>

#include <doctest/doctest.h>

#include "models/laws/serving.h"
#include "models/simulate/serving.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

constexpr StepTimeLaw gpu{4e-3, 0.25e-3};  // 125 requests/s one by one, 2667/s by 32

}  // namespace

TEST_CASE("serving: the largest load and the replicas for a target keep the target") {
  ServingLoad load{.max_batch = 32, .max_delay_s = 2e-3};
  for (const double target_s : {12e-3, 20e-3, 40e-3}) {
    load.requests_per_s = largest_requests_per_s(gpu, load, target_s);
    CAPTURE(target_s);
    CAPTURE(load.requests_per_s);
    CHECK(serve(gpu, load).p99_s == test::approx(target_s).epsilon(0.01));
    load.requests_per_s *= 1.1;
    CHECK(serve(gpu, load).p99_s > target_s);
  }
  CHECK(largest_requests_per_s(gpu, load, 1e-3) == 0);
  load.requests_per_s = 10'000;
  const int replicas = machines_needed(gpu, load, 20e-3);
  load.replicas = replicas;
  CHECK(serve(gpu, load).p99_s <= 20e-3 * 1.001);
  load.replicas = replicas - 1;
  CHECK(serve(gpu, load).p99_s > 20e-3);
  load.replicas = 1;
  CHECK(machines_needed(gpu, load, 1e-3) == 0);
}

// With fewer requests each a replica waits for its window to end: more of them may be too many.
TEST_CASE("serving: the replicas needed are the fewest, in windows too") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> around(0, 1);
  int windows = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto time =
        MinibatchTime(StepTimeLaw{0.001 + 0.019 * around(random), 0.0001 + 0.005 * around(random)});
    ServingLoad load{.requests_per_s = 20 * std::pow(1000, around(random)),
                     .group_size = i % 2 == 0 ? 1 : std::exp(4 * around(random)),
                     .max_batch = 1 << (i % 6),
                     .max_delay_s = i % 4 == 0 ? 0 : 0.05 * around(random)};
    const double target_s =
        step_seconds(time, 1) * (1 + 5 * around(random)) + 1.2 * load.max_delay_s * around(random);
    CAPTURE(i);
    const auto fewest = [&](const auto& enough) {
      int replicas = 1;
      while (replicas <= 300 && !enough(replicas)) {
        ++replicas;
      }
      return replicas;
    };
    const auto check = [&](int said, int truth) {  // one of a few large ones may be passed over
      CHECK((said >= truth || (said == 0 && truth > 300)));
      CHECK((truth > 300 || (said > 0 && said <= truth + truth / 32)));
    };
    check(replicas_needed_by_chance(time, load, target_s), fewest([&](int replicas) {
            load.replicas = replicas;
            return answers_within(time, share_by_chance(load), target_s);
          }));
    load.replicas = 1;
    check(machines_needed(time, load, target_s), fewest([&](int replicas) {
            auto all = load;
            all.replicas = replicas;
            return answers_within(time, all, target_s);
          }));
    windows += static_cast<int>(load.max_delay_s > 0);
  }
  CHECK(windows > 700);
}

// The ends of the search are loads at which a replica is just full, to the last digit of a double.
TEST_CASE("serving: of any times the largest load is in time, and little more is not") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> around(0.5, 2);
  for (int i = 0; i < 2000; ++i) {
    const int most = 1 << (i % 6);
    const auto time = MinibatchTime(StepTimeLaw{0.01 * around(random), 0.001 * around(random)});
    ServingLoad load{.group_size = around(random),
                     .max_batch = most,
                     .max_delay_s = i % 2 == 0   ? 0
                                    : i % 4 == 1 ? 2e-3
                                                 : 0.1,
                     .replicas = i % 3 == 0 ? 3 : 1};
    const double full = load.replicas * most / step_seconds(time, most);
    const double target_s = 0.1 * around(random);
    const double deviations = around(random) - 1;
    const double largest = largest_requests_per_s(time, load, target_s, deviations);
    CAPTURE(most);
    CAPTURE(largest / full);
    CHECK(largest < full * (1 - 1e-4));
    for (const double more : {1.0, 1.01, 1.2}) {
      load.requests_per_s = more * largest;
      CHECK((largest == 0 || (lateness(time, load, target_s, deviations) <= 0) == (more == 1)));
    }
    for (int part = 1; part < 32; ++part) {  // none of those above it is in time
      load.requests_per_s = part * full / 32;
      const bool above = load.requests_per_s > largest + full / 32;
      CHECK_FALSE((above && lateness(time, load, target_s, deviations) <= 0));
    }
    for (const double share : {1 - 1e-16, 1 - 1e-12, 1.0, 1 + 1e-15, 2.0}) {
      load.requests_per_s = share * full;
      CHECK(lateness(time, load, target_s) > 0);
      CHECK_FALSE(serve(time, load).p99_s < target_s);
    }
  }
}

TEST_CASE("serving: a window longer than the latency is late where few come, not where many do") {
  const MinibatchTime time(StepTimeLaw{1e-3, 2e-5});
  ServingLoad load{.max_batch = 32, .max_delay_s = 10e-3};
  for (const double p99_s : {8e-3, 11e-3}) {
    CAPTURE(p99_s);
    const double largest = largest_requests_per_s(time, load, p99_s);
    CHECK(largest > 15'000);
    load.requests_per_s = largest;
    CHECK(answers_within(time, load, p99_s));
  }
  // And a load of next to nothing is one, too.
  const MinibatchTime slow(StepTimeLaw{10e-3, 1e-9});
  CHECK(largest_requests_per_s(slow, {.max_batch = 256}, 10.05e-3) == test::approx(1).epsilon(0.1));
}
