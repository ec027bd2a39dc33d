// Serving: the simulated fleet against closed forms, the analytic law against the fleet.
#include "models/laws/serving.h"

#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "models/simulate/random.h"
#include "models/simulate/serving.h"
#include "profiler/histogram.h"

using namespace rightsize;

namespace {

constexpr StepTimeLaw gpu{4e-3, 0.25e-3};  // 125 requests/s one by one, 2667/s by 32

}  // namespace

TEST_CASE("histogram: quantiles are within half a bucket, the mean is exact") {
  Histogram histogram;
  for (int i = 1; i <= 100'000; ++i) {
    histogram.add(i * 1000);
  }
  CHECK(histogram.mean_seconds() == doctest::Approx(50.0005e-3).epsilon(1e-9));
  for (const double share : {0.01, 0.5, 0.95, 0.99, 0.999}) {
    CHECK(histogram.quantile_seconds(share) == doctest::Approx(share * 0.1).epsilon(0.004));
  }
  CHECK(histogram.most_seconds() == doctest::Approx(0.1));
}

TEST_CASE(
    "serving: without batching a replica is M/D/1, and percentiles are those of its formula") {
  // Mean by Pollaczek-Khinchine; the chance to wait no longer than a service time: (1 - r) e^r.
  const StepTimeLaw fixed{1e-2, 0};
  const ServingLoad load{.requests_per_s = 70};
  ServingOptions options;
  options.requests = 500'000;
  const auto summary = simulate_serving(fixed, load, options);
  CHECK(summary.mean_s == doctest::Approx(1e-2 * (1 + 0.7 / 0.6)).epsilon(0.02));
  CHECK(summary.busy == doctest::Approx(0.7).epsilon(0.01));
  CHECK(summary.mean_batch == 1);
  CHECK(summary.served_per_s == doctest::Approx(70).epsilon(0.01));
  CHECK(summary.p50_s < 2e-2);  // as P(latency <= 2 services) = (1 - 0.7) e^0.7 = 0.60
  CHECK(summary.p95_s > 2e-2);
  const auto point = serve(fixed, load);
  CHECK(point.mean_s == doctest::Approx(summary.mean_s).epsilon(0.12));
  CHECK(point.p99_s == doctest::Approx(summary.p99_s).epsilon(0.10));
}

TEST_CASE("serving: next to no load is next to no waiting, not nothing at all") {
  for (const double share : {1e-2, 1e-3, 1e-4, 1e-6, 1e-9}) {
    ServingLoad load{.max_batch = 32};
    load.requests_per_s = share * 32 / step_seconds(gpu, 32);
    const auto point = serve(gpu, load);
    CAPTURE(share);
    CHECK(point.regime == ServingRegime::steady);
    CHECK(point.p50_s == doctest::Approx(step_seconds(gpu, 1)).epsilon(0.05));
    CHECK(point.mean_s >= step_seconds(gpu, 1) * 0.999);
    CHECK(point.p99_s <= 2.1 * step_seconds(gpu, 2));
  }
  CHECK(machines_needed(gpu, {.requests_per_s = 1e12, .max_batch = 32}, 0.1) == 0);
}

TEST_CASE("serving: the law is within its stated error of the fleet") {
  for (const double share : {0.1, 0.3, 0.5, 0.7, 0.8, 0.9}) {
    for (const int batch : {1, 4, 8, 32}) {
      for (const double delay_s : {0.0, 2e-3, 10e-3}) {
        ServingLoad load{.max_batch = batch, .max_delay_s = delay_s};
        load.requests_per_s = share * batch / step_seconds(gpu, batch);
        ServingOptions options;
        options.requests = 150'000;
        const auto played = simulate_serving(gpu, load, options);
        const auto point = serve(gpu, load);
        CAPTURE(share);
        CAPTURE(batch);
        CAPTURE(delay_s);
        CHECK(point.utilisation == doctest::Approx(share));
        CHECK(point.mean_batch == doctest::Approx(played.mean_batch).epsilon(0.15));
        CHECK(point.mean_s == doctest::Approx(played.mean_s).epsilon(0.15));
        CHECK(point.p99_s == doctest::Approx(played.p99_s).epsilon(0.15));
        CHECK(point.p50_s == doctest::Approx(played.p50_s).epsilon(0.25));
      }
    }
  }
}

TEST_CASE("serving: with bursts the law is within a third of the fleet") {
  for (const double group : {2.0, 4.0, 8.0}) {
    for (const double share : {0.2, 0.5, 0.7, 0.85}) {
      ServingLoad load{.group_size = group, .max_batch = 32};
      load.requests_per_s = share * 32 / step_seconds(gpu, 32);
      const auto played = simulate_serving(gpu, load);
      CAPTURE(group);
      CAPTURE(share);
      CHECK(serve(gpu, load).p99_s == doctest::Approx(played.p99_s).epsilon(0.33));
    }
  }
}

TEST_CASE("serving: more than can be served is told, not answered with a number") {
  const ServingLoad load{.requests_per_s = 3000, .max_batch = 32};
  const auto point = serve(gpu, load);
  CHECK(point.regime == ServingRegime::saturated);
  CHECK(point.saturation_per_s == doctest::Approx(32 / step_seconds(gpu, 32)));
  CHECK(std::isinf(point.p99_s));
  ServingOptions options;
  options.queue_limit = 5000;
  const auto played = simulate_serving(gpu, load, options);
  CHECK(played.saturated);
  CHECK(played.turned_away > 0);
  CHECK(played.requests + played.turned_away <= options.requests * 11 / 10);
  CHECK(played.busy > 0.98);
  CHECK(serve(gpu, {.requests_per_s = 2400, .max_batch = 32}).regime == ServingRegime::knee);
  CHECK(serve(gpu, {.requests_per_s = 1000, .max_batch = 32}).regime == ServingRegime::steady);
}

TEST_CASE("serving: whoever comes last waits for company, and nobody is overloaded by that") {
  ServingOptions few;
  few.requests = 2000;  // in a second, of which the wait for company is a twentieth
  const ServingLoad load{
      .requests_per_s = 2000, .max_batch = 32, .max_delay_s = 0.05, .replicas = 4};
  const auto played = simulate_serving(gpu, load, few);
  CHECK_FALSE(played.saturated);
  CHECK(played.busy < 0.5);
  CHECK(played.served_per_s == doctest::Approx(played.offered_per_s).epsilon(0.01));
  const std::vector<simulate::Nanoseconds> seldom{0, 2'000'000'000, 4'000'000'000, 6'000'000'000};
  ServingOptions listed;
  listed.arrivals = seldom;
  CHECK_FALSE(simulate_serving(gpu, {.max_batch = 32, .max_delay_s = 0.5}, listed).saturated);
}

TEST_CASE("serving: a burst at the end of what is played is no overload, a trend by the law is") {
  ServingOptions few;
  few.requests = 1000;
  ServingLoad load{.group_size = 32, .max_batch = 32, .replicas = 2};
  const double most = 2 * 32 / step_seconds(gpu, 32);
  for (const double share : {0.73, 1.03}) {
    load.requests_per_s = share * most;
    for (few.seed = 1; few.seed <= 10; ++few.seed) {
      CAPTURE(few.seed);
      CHECK(simulate_serving(gpu, load, few).saturated == (share > 1));
    }
  }
  std::vector<simulate::Nanoseconds> burst;  // twice what can be served, for 60 ms
  for (int i = 0; i < 600; ++i) {
    burst.push_back(i * 100'000);
  }
  ServingOptions listed;
  listed.arrivals = burst;
  load = {.requests_per_s = 10'000, .max_batch = 32, .replicas = 2};
  CHECK_FALSE(simulate_serving(gpu, load, listed).saturated);
}

TEST_CASE("serving: nobody that is counted waits for company that does not come any more") {
  // 40 partial minibatches at the end of 20,000 requests were more than a hundredth of them.
  const ServingLoad load{
      .requests_per_s = 16'000, .max_batch = 32, .max_delay_s = 0.2, .replicas = 40};
  ServingOptions some;
  some.requests = 20'000;
  const auto played = simulate_serving(gpu, load, some);
  CHECK(played.requests == 20'000);
  CHECK(played.p99_s < 0.17);
  CHECK(serve(gpu, load).p99_s == doctest::Approx(played.p99_s).epsilon(0.2));
  CHECK(played.mean_batch > 31);
  // Of the window, without the long wait for the last answer.
  const double needed = 16'000 / 40.0 / 32 * step_seconds(gpu, 32);
  CHECK(played.busy == doctest::Approx(needed).epsilon(0.03));
  CHECK(played.served_per_s == doctest::Approx(played.offered_per_s).epsilon(0.02));
}

TEST_CASE("serving: of a list as much is served as comes, where the servers keep up") {
  const std::vector<simulate::Nanoseconds> three{0, 500'000'000, 1'000'000'000};
  ServingOptions options;
  options.arrivals = three;
  const auto played = simulate_serving(gpu, {.requests_per_s = 2, .max_batch = 8}, options);
  CHECK(played.offered_per_s == doctest::Approx(2));
  CHECK(played.served_per_s == doctest::Approx(2));
}

TEST_CASE("serving: bursts and random routing wait longer, the shortest queue less") {
  ServingLoad load{.requests_per_s = 3000, .max_batch = 16, .replicas = 2};
  const auto smooth = simulate_serving(gpu, load);
  ServingOptions random;
  random.routing = Routing::random;
  const auto scattered = simulate_serving(gpu, load, random);
  CHECK(scattered.p99_s > smooth.p99_s * 1.05);
  CHECK(serve(gpu, load).p99_s == doctest::Approx(smooth.p99_s).epsilon(0.10));
  load.group_size = 8;
  const auto bursty = simulate_serving(gpu, load);
  CHECK(bursty.offered_per_s == doctest::Approx(3000).epsilon(0.02));
  CHECK(bursty.p99_s > smooth.p99_s * 1.3);
  CHECK(serve(gpu, load).p99_s > serve(gpu, {3000, 1, 16, 0, 2}).p99_s);
}

TEST_CASE("serving: arrivals from a list are answered each, with the waits that are theirs") {
  const std::vector<simulate::Nanoseconds> arrivals{0, 1'000'000, 1'000'000, 50'000'000};
  ServingOptions options;
  options.arrivals = arrivals;
  const StepTimeLaw fixed{10e-3, 0};
  const auto summary = simulate_serving(fixed, {.requests_per_s = 1, .max_batch = 2}, options);
  CHECK(summary.requests == 4);
  // 10 ms alone, then 19 ms for the two that waited 9 ms, then 10 ms alone.
  CHECK(summary.mean_s == doctest::Approx((10 + 19 + 19 + 10) / 4.0 * 1e-3).epsilon(1e-9));
  CHECK(summary.mean_batch == doctest::Approx(4.0 / 3));
  CHECK(summary.most_s == doctest::Approx(19e-3));
}

TEST_CASE("serving: a seed gives the same fleet, another seed another") {
  const ServingLoad load{.requests_per_s = 1500, .max_batch = 16};
  ServingOptions options;
  options.requests = 20'000;
  const auto a = simulate_serving(gpu, load, options);
  const auto b = simulate_serving(gpu, load, options);
  options.seed = 2;
  const auto c = simulate_serving(gpu, load, options);
  CHECK(a.mean_s == b.mean_s);
  CHECK(a.events == b.events);
  CHECK(a.mean_s != c.mean_s);
}

TEST_CASE("serving: the largest load and the replicas for a target keep the target") {
  ServingLoad load{.max_batch = 32, .max_delay_s = 2e-3};
  for (const double target_s : {12e-3, 20e-3, 40e-3}) {
    load.requests_per_s = largest_requests_per_s(gpu, load, target_s);
    CAPTURE(target_s);
    CAPTURE(load.requests_per_s);
    CHECK(serve(gpu, load).p99_s == doctest::Approx(target_s).epsilon(0.01));
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
  CHECK(largest_requests_per_s(slow, {.max_batch = 256}, 10.05e-3) ==
        doctest::Approx(1).epsilon(0.1));
}

TEST_CASE("serving: next to saturation latencies stay positive and in order") {
  const MinibatchTime time(StepTimeLaw{2e-3, 1e-3});
  for (const int most : {1, 8, 32}) {
    const double full = most / step_seconds(time, most);
    for (double left = 1e-9; left < 1e-2; left *= 1.3) {
      CAPTURE(left);
      CAPTURE(most);
      const auto point = serve(time, {.requests_per_s = full * (1 - left), .max_batch = most});
      CHECK(point.mean_s > step_seconds(time, 1));
      CHECK(point.p50_s > 0);
      CHECK(point.p99_s >= point.p50_s);
    }
  }
}

TEST_CASE("serving law: percentiles are in order, also where nearly nobody waits") {
  for (const double rate : {0.01, 1.0, 20.0, 60.0, 200.0, 1500.0}) {
    for (const int replicas : {1, 2, 7}) {
      for (const double window_s : {0.0, 2e-3}) {
        const ServingLoad load{
            .requests_per_s = rate, .max_batch = 32, .max_delay_s = window_s, .replicas = replicas};
        const auto point = serve(gpu, load);
        CAPTURE(rate);
        CAPTURE(replicas);
        CAPTURE(window_s);
        CHECK(point.p50_s <= point.p95_s);
        CHECK(point.p95_s <= point.p99_s);
      }
    }
  }
}

TEST_CASE("serving law: whether all answer within a latency is what the percentile says") {
  for (const double requests_per_s : {50.0, 800.0, 2200.0}) {
    const ServingLoad load{.requests_per_s = requests_per_s, .max_batch = 32, .max_delay_s = 2e-3};
    const double p99_s = serve(gpu, load).p99_s;
    CHECK(answers_within(gpu, load, p99_s * 1.01));
    CHECK_FALSE(answers_within(gpu, load, p99_s * 0.99));
  }
  CHECK_FALSE(answers_within(gpu, {.requests_per_s = 3000, .max_batch = 32}, 1e9));  // saturated
}

TEST_CASE("serving: what is told of its error holds where it is largest, and on other steps too") {
  const StepTimeLaw steep{2e-3, 1e-3};  // half of a minibatch of two is its requests' own
  const auto played_over_law = [&](ServingLoad load, double share) {
    load.requests_per_s =
        share * load.replicas * load.max_batch / step_seconds(steep, load.max_batch);
    ServingOptions options;
    options.requests = 60'000;
    return simulate_serving(steep, load, options).p99_s / serve(steep, load).p99_s;
  };
  const double alone = played_over_law({.max_batch = 32}, 0.7);
  CHECK(alone > 1.4);  // more than the 15 % that was told before
  CHECK(alone < 1.6);
  const double bursty = played_over_law({.group_size = 4, .max_batch = 32}, 0.1);
  CHECK(bursty > 1.6);
  CHECK(bursty < 2);
  const double together = played_over_law({.group_size = 8, .max_batch = 8, .replicas = 8}, 0.9);
  CHECK(together > 0.75);
  CHECK(together < 1.2);
}
