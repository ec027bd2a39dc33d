// The wait for a minibatch to fill: against Erlang's sums, and whole fleets against those played.
#include "models/laws/filling_wait.h"

#include <cmath>

#include <doctest/doctest.h>

#include "models/simulate/serving.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

// P(the k-th of Poisson arrivals comes after x): fewer than k until then.
double erlang_tail(int k, double mean) {
  double term = std::exp(-mean);
  double sum = 0;
  for (int n = 0; n < k; ++n) {
    sum += term;
    term *= mean / (n + 1);
  }
  return sum;
}

}  // namespace

TEST_CASE("filling: a lone replica's wait is the sum of Erlang's over places in the minibatch") {
  const ServingLoad load{
      .requests_per_s = 400, .group_size = 1, .max_batch = 8, .max_delay_s = 1, .replicas = 1};
  const FillingWait wait(load, 1e-6);  // next to no utilisation: nobody is in front
  for (const double x_s : {0.001, 0.005, 0.01, 0.02, 0.03}) {
    double exact = 0;
    for (int ahead = 1; ahead < 8; ++ahead) {
      exact += erlang_tail(ahead, 400 * x_s) / 8;
    }
    CAPTURE(x_s);
    CHECK(wait.tail(x_s) == test::approx(exact).epsilon(0.01));
  }
  CHECK(wait.mean() == test::approx(3.5 / 400).epsilon(0.001));
  CHECK(wait.tail(1) == 0);  // the window has ended
}

// At a fifth of the most windows cut minibatches short.
TEST_CASE("filling: under windows longer than that, the law is near the fleet that is played") {
  const StepTimeLaw step{6e-3, 0.17e-3};
  for (const int replicas : {1, 8, 73}) {
    for (const double share : {0.2, 0.23, 0.25, 0.3, 0.5, 0.8, 0.95}) {
      ServingLoad load{.max_batch = 32, .max_delay_s = 50e-3, .replicas = replicas};
      load.requests_per_s = share * replicas * 32 / step_seconds(step, 32);
      const auto played = simulate_serving(step, load, {.requests = 100'000, .arrivals = {}});
      const auto point = serve(step, load);
      CAPTURE(replicas);
      CAPTURE(share);
      CHECK(point.p99_s == test::approx(played.p99_s).epsilon(0.15));
      CHECK(point.mean_s == test::approx(played.mean_s).epsilon(0.25));
      CHECK(point.mean_batch == test::approx(played.mean_batch).epsilon(0.05));
    }
  }
}

TEST_CASE("filling: more requests fill minibatches sooner, until replicas are what is short") {
  const StepTimeLaw step{6e-3, 0.17e-3};
  ServingLoad load{.max_batch = 32, .max_delay_s = 50e-3, .replicas = 8};
  const double most = 8 * 32 / step_seconds(step, 32);
  double before = 1;
  for (double share = 0.3; share < 0.85; share += 0.05) {
    load.requests_per_s = share * most;
    const double p99_s = serve(step, load).p99_s;
    CAPTURE(share);
    CHECK(p99_s <= before);
    before = p99_s;
  }
  load.requests_per_s = 0.99 * most;
  CHECK(serve(step, load).p99_s > before);
}
