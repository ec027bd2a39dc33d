// Several replicas behind one front end: the law against closed forms and against the played fleet.
#include "models/laws/shared_replicas.h"

#include <cmath>

#include <doctest/doctest.h>

#include "models/simulate/serving.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

constexpr StepTimeLaw gpu{4e-3, 0.25e-3};

// That a request has to wait, of exponential service one by one (Erlang's C).
double erlang_c(int servers, double offered) {
  double term = 1;
  double below = 0;
  for (int n = 0; n < servers; ++n) {
    below += term;
    term *= offered / (n + 1);
  }
  const double waiting = term / (1 - offered / servers);
  return waiting / (below + waiting);
}

ServingLoad load_of(double share, int replicas, int batch, double group = 1, double delay_s = 0) {
  return {share * replicas * batch / step_seconds(gpu, batch), group, batch, delay_s, replicas};
}

}  // namespace

TEST_CASE("shared replicas: one by one and little load is Erlang's chance to wait") {
  const double step_s = step_seconds(gpu, 1);
  for (const int replicas : {2, 4, 8, 16}) {
    for (const double share : {0.2, 0.4, 0.5}) {
      const SharedReplicas queue(gpu, load_of(share, replicas, 1));
      CAPTURE(replicas);
      CAPTURE(share);
      CHECK(queue.tail(step_s) == test::approx(erlang_c(replicas, share * replicas)).epsilon(0.11));
      CHECK(queue.tail(0.99 * step_s) == test::approx(1));
      CHECK(queue.mean_batch() == 1);
    }
  }
}

TEST_CASE("shared replicas: one by one near the most, long waits fall as Crommelin's M/D/c") {
  for (const double share : {0.8, 0.9, 0.95}) {
    double low = 1e-6;
    double high = 5;
    for (int i = 0; i < 60; ++i) {
      const double x = (low + high) / 2;
      (share * std::expm1(x) < x ? low : high) = x;
    }
    for (const int replicas : {2, 4, 8}) {
      const SharedReplicas queue(gpu, load_of(share, replicas, 1));
      const double step_s = step_seconds(gpu, 1);
      const double fell = std::log(queue.tail(2.5 * step_s) / queue.tail(3.5 * step_s));
      CHECK(fell == test::approx(replicas * low).epsilon(0.06));
    }
  }
}

TEST_CASE("shared replicas: the law is within its stated error of the fleet") {
  for (const int replicas : {2, 4, 8, 32}) {
    for (const double share : {0.3, 0.6, 0.8, 0.9}) {
      for (const int batch : {1, 4, 32}) {
        for (const double delay_s : {0.0, 2e-3}) {
          const auto load = load_of(share, replicas, batch, 1, batch == 1 ? 0 : delay_s);
          ServingOptions options;
          options.requests = 100'000;
          const auto played = simulate_serving(gpu, load, options);
          const auto point = serve(gpu, load);
          CAPTURE(replicas);
          CAPTURE(share);
          CAPTURE(batch);
          CAPTURE(delay_s);
          CHECK(point.utilisation == test::approx(share));
          CHECK(point.mean_batch == test::approx(played.mean_batch).epsilon(0.21));
          CHECK(point.mean_s == test::approx(played.mean_s).epsilon(0.15));
          CHECK(point.p99_s == test::approx(played.p99_s).epsilon(0.28));
        }
      }
    }
  }
}

TEST_CASE("shared replicas: bursts are within a third") {
  for (const int replicas : {2, 8, 32}) {
    for (const double share : {0.3, 0.6, 0.9}) {
      for (const int batch : {1, 8}) {
        const auto load = load_of(share, replicas, batch, 4);
        CAPTURE(replicas);
        CAPTURE(share);
        CAPTURE(batch);
        CHECK(serve(gpu, load).p99_s ==
              test::approx(simulate_serving(gpu, load).p99_s).epsilon(0.33));
      }
    }
  }
}

TEST_CASE("shared replicas: more of them never answer later, nor more load sooner") {
  for (const double group : {1.0, 4.0}) {
    for (const int batch : {1, 8, 32}) {
      double before_s = HUGE_VAL;
      for (const int replicas : {2, 3, 4, 6, 8, 16, 64, 1000}) {
        auto load = load_of(0.9, 2, batch, group);
        load.replicas = replicas;
        const double p99_s = serve(gpu, load).p99_s;
        CHECK(p99_s <= before_s * 1.001);
        before_s = p99_s;
      }
      before_s = 0;
      for (double share = 0.05; share < 1; share += 0.05) {
        const double p99_s = serve(gpu, load_of(share, 8, batch, group)).p99_s;
        CAPTURE(share);
        CHECK(p99_s >= before_s * 0.97);
        before_s = p99_s;
      }
    }
  }
}

TEST_CASE("shared replicas: of any size and load, requests are answered at some time") {
  for (const int replicas : {2, 3, 7, 100}) {
    for (const int batch : {1, 2, 32, 128}) {
      for (const double group : {1.0, 4.0, 20.0}) {
        for (double share = 0.02; share < 1; share += 0.02) {
          const auto load = load_of(share, replicas, batch, group, batch > 32 ? 10e-3 : 0);
          const SharedReplicas queue(gpu, load);
          CAPTURE(replicas);
          CAPTURE(batch);
          CAPTURE(group);
          CAPTURE(share);
          CHECK(queue.tail(0) == test::approx(1));
          CHECK(queue.tail(queue.longest_s()) < 2e-3);
          CHECK(queue.mean() >= 0.999 * step_seconds(gpu, 1));
        }
      }
    }
  }
}

TEST_CASE("shared replicas: thousands that idle answer in a step, and full ones are told") {
  const auto idle = serve(gpu, load_of(0.01, 5000, 32, 1, 2e-3));
  CHECK(idle.p99_s == test::approx(step_seconds(gpu, 1) + 2e-3).epsilon(1e-3));
  CHECK(idle.mean_batch == test::approx(1).epsilon(1e-3));
  const auto full = serve(gpu, load_of(1.01, 5000, 32));
  CHECK(full.regime == ServingRegime::saturated);
  CHECK(std::isinf(full.p99_s));
}

// A part of bench_serving_grid, which has 1944 points.
TEST_CASE("shared replicas: the law is as far off as it says, one replica and bursts included") {
  double squares = 0;  // in its own standard deviations
  int inside = 0;
  int points = 0;
  for (const int replicas : {1, 2, 8}) {
    for (const double group : {1.0, 4.0}) {
      for (const double share : {0.3, 0.7, 0.9}) {
        for (const int batch : {4, 32}) {
          const auto load = load_of(share, replicas, batch, group);
          ServingOptions options;
          options.requests = 60'000;
          options.time_deviation = 0.1;
          const double played = simulate_serving(gpu, load, options).p99_s;
          const double off = std::log(played / serve(gpu, load).p99_s) / p99_log_sd(load, share);
          squares += off * off;
          inside += std::abs(off) < 1.645 ? 1 : 0;
          ++points;
        }
      }
    }
  }
  CHECK(std::sqrt(squares / points) > 0.6);
  CHECK(std::sqrt(squares / points) < 1.4);
  CHECK(inside >= 0.8 * points);
}
