// The simulated fleet by itself: who waits for whom at the end of what is played, lists of
// arrivals, bursts and routing.
#include <vector>

#include <doctest/doctest.h>

#include "models/simulate/serving.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

constexpr StepTimeLaw gpu{4e-3, 0.25e-3};  // 125 requests/s one by one, 2667/s by 32

}  // namespace

TEST_CASE("serving: whoever comes last waits for company, and nobody is overloaded by that") {
  ServingOptions few;
  few.requests = 2000;  // in a second, of which the wait for company is a twentieth
  const ServingLoad load{
      .requests_per_s = 2000, .max_batch = 32, .max_delay_s = 0.05, .replicas = 4};
  const auto played = simulate_serving(gpu, load, few);
  CHECK_FALSE(played.saturated);
  CHECK(played.busy < 0.5);
  CHECK(played.served_per_s == test::approx(played.offered_per_s).epsilon(0.01));
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
  CHECK(serve(gpu, load).p99_s == test::approx(played.p99_s).epsilon(0.2));
  CHECK(played.mean_batch > 31);
  // Of the window, without the long wait for the last answer.
  const double needed = 16'000 / 40.0 / 32 * step_seconds(gpu, 32);
  CHECK(played.busy == test::approx(needed).epsilon(0.05));
  CHECK(played.served_per_s == test::approx(played.offered_per_s).epsilon(0.02));
}

TEST_CASE("serving: of a list as much is served as comes, where the servers keep up") {
  const std::vector<simulate::Nanoseconds> three{0, 500'000'000, 1'000'000'000};
  ServingOptions options;
  options.arrivals = three;
  const auto played = simulate_serving(gpu, {.requests_per_s = 2, .max_batch = 8}, options);
  CHECK(played.offered_per_s == test::approx(2));
  CHECK(played.served_per_s == test::approx(2));
}

TEST_CASE("serving: bursts and random routing wait longer, the shortest queue less") {
  ServingLoad load{.requests_per_s = 3000, .max_batch = 16, .replicas = 2};
  const auto smooth = simulate_serving(gpu, load);
  ServingOptions random;
  random.routing = Routing::random;
  const auto scattered = simulate_serving(gpu, load, random);
  CHECK(scattered.p99_s > smooth.p99_s * 1.05);
  CHECK(serve(gpu, load).p99_s == test::approx(smooth.p99_s).epsilon(0.10));
  load.group_size = 8;
  const auto bursty = simulate_serving(gpu, load);
  CHECK(bursty.offered_per_s == test::approx(3000).epsilon(0.02));
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
  CHECK(summary.mean_s == test::approx((10 + 19 + 19 + 10) / 4.0 * 1e-3).epsilon(1e-9));
  CHECK(summary.mean_batch == test::approx(4.0 / 3));
  CHECK(summary.most_s == test::approx(19e-3));
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
