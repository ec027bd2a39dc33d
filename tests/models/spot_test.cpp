// Spot machines: Young and Daly, the exact mean, the distribution against many played runs.
#include "models/laws/spot.h"

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "kernels/network.h"
#include "models/simulate/spot.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

// Daly's eq. 13 for equal segments.
double daly_hours(const SpotTerms& terms, double useful_h, double interval_s) {
  const double hazard = terms.interruptions_per_hour / 3600;
  const double segments = useful_h * 3600 / interval_s;
  return segments / hazard * std::exp(hazard * terms.restart_s) *
         std::expm1(hazard * (interval_s + terms.checkpoint_s)) / 3600;
}

}  // namespace

TEST_CASE("spot: Young's interval is Daly's first term, and Daly's is the best of its neighbours") {
  CHECK(young_interval_s(60, 0.1) == test::approx(std::sqrt(2 * 60 * 36000.0)));
  CHECK(daly_interval_s(1, 0.001) == test::approx(young_interval_s(1, 0.001)).epsilon(0.001));
  for (const double checkpoint_s : {5.0, 60.0, 600.0}) {
    SpotTerms terms{.interruptions_per_hour = 0.2, .checkpoint_s = checkpoint_s, .restart_s = 120};
    const double best = daly_interval_s(checkpoint_s, 0.2);
    const double at_best = daly_hours(terms, 100, best);
    CHECK(daly_hours(terms, 100, best * 1.3) > at_best);
    CHECK(daly_hours(terms, 100, best / 1.3) > at_best);
  }
}

TEST_CASE("spot: without a longest life the mean is Daly's closed form") {
  for (const double hazard : {0.01, 0.1, 1.0}) {
    for (const double useful_h : {3.0, 40.0, 2000.0}) {
      const SpotTerms terms{.interruptions_per_hour = hazard, .checkpoint_s = 30, .restart_s = 240};
      const auto time = spot_time(terms, useful_h);
      REQUIRE(time.possible);
      CAPTURE(hazard);
      CAPTURE(useful_h);
      CHECK(time.mean_h ==
            test::approx(daly_hours(terms, useful_h, time.interval_s)).epsilon(1e-4));
    }
  }
}

TEST_CASE("spot: mean and quantiles are those of played runs") {
  struct Case {
    double hazard, checkpoint_s, restart_s, longest_h, useful_h;
  };
  for (const auto& c : {Case{0.05, 60, 300, 0, 10},
                        Case{0.05, 60, 300, 0, 100},
                        Case{0.5, 120, 600, 0, 30},
                        Case{0.05, 60, 300, 24, 12},
                        Case{0.05, 60, 300, 24, 100},
                        Case{0.0, 60, 300, 24, 60},
                        Case{0.3, 30, 120, 6, 40}}) {
    const SpotTerms terms{c.hazard, c.checkpoint_s, c.restart_s, c.longest_h, 0};
    const auto law = spot_time(terms, c.useful_h);
    const auto played = simulate_spot(terms, c.useful_h, 20'000);
    REQUIRE(law.possible);
    CAPTURE(c.hazard);
    CAPTURE(c.longest_h);
    CAPTURE(c.useful_h);
    CAPTURE(law.mean_h);
    CAPTURE(played.mean_h);
    CHECK(std::abs(law.mean_h - played.mean_h) <= played.half_width_h + 1e-6);
    CHECK(played.half_width_h < 0.02 * law.mean_h);
    CHECK(law.interruptions == test::approx(played.mean_interruptions).epsilon(0.04));
    CHECK(law.p50_h == test::approx(played.quantile_h(0.5)).epsilon(0.04));
    CHECK(law.p90_h == test::approx(played.quantile_h(0.9)).epsilon(0.05));
    CHECK(law.least_h == test::approx(played.hours.front()).epsilon(0.25));
  }
}

TEST_CASE("spot: no hazard costs the checkpoint only, more hazard costs more") {
  const auto calm = spot_time({.checkpoint_s = 36}, 10);
  CHECK(calm.mean_h == test::approx(10.01));
  CHECK(calm.p90_h == test::approx(10.01));
  CHECK(calm.interruptions == 0);
  double before = calm.mean_h;
  for (const double hazard : {0.02, 0.1, 0.5, 2.0}) {
    const auto time = spot_time({.interruptions_per_hour = hazard, .checkpoint_s = 36}, 10);
    CHECK(time.mean_h > before);
    CHECK(time.p90_h >= time.p50_h);
    before = time.mean_h;
  }
}

TEST_CASE("spot: a longest life that the job does not reach changes nothing") {
  SpotTerms terms{.interruptions_per_hour = 0.05, .checkpoint_s = 4, .restart_s = 300};
  const auto without = spot_time(terms, 40);
  for (const double longest_h : {41.0, 100.0, 1000.0, 1e6}) {
    terms.longest_life_h = longest_h;
    CHECK(spot_time(terms, 40).mean_h == without.mean_h);
    CHECK(spot_time(terms, 40).interval_s == without.interval_s);
    CHECK(spot_mean_h(terms, 40) == without.mean_h);
  }
}

TEST_CASE("spot: the interval is as good as any, also where machines live for a day at most") {
  for (const double hazard : {0.0, 1e-4, 0.01, 0.05, 0.3}) {
    for (const double longest_h : {6.0, 24.0}) {
      for (const double checkpoint_s : {5.0, 60.0, 300.0}) {
        for (const double useful_h : {40.0, 700.0}) {
          SpotTerms terms{hazard, checkpoint_s, 300, longest_h, 0};
          const double chosen = spot_mean_h(terms, useful_h);
          double best = chosen;
          for (double interval_s = 700; interval_s < longest_h * 3600; interval_s *= 1.02) {
            terms.interval_s = interval_s;
            best = std::min(best, spot_mean_h(terms, useful_h));
          }
          CAPTURE(hazard);
          CAPTURE(longest_h);
          CAPTURE(checkpoint_s);
          CAPTURE(useful_h);
          CHECK(chosen <= 1.015 * best);
        }
      }
    }
  }
}

TEST_CASE("spot: near the end of a life the parts are as good as any count of them") {
  for (const double hazard : {0.0, 0.01, 0.18}) {
    for (const double longest_h : {1.1, 6.0, 24.0}) {
      for (const double lives : {0.3, 0.95, 0.98, 1.0, 1.5, 2.0}) {
        for (const double restart_s : {120.0, 600.0, 1200.0}) {
          const double useful_h = lives * longest_h;
          SpotTerms terms{hazard, longest_h * 20, restart_s, longest_h, 0};
          const double chosen = spot_mean_h(terms, useful_h);
          double best = chosen;
          for (int parts = 1; parts <= 100; ++parts) {
            terms.interval_s = useful_h * 3600 / parts;
            best = std::min(best, spot_mean_h(terms, useful_h));
          }
          CAPTURE(hazard);
          CAPTURE(longest_h);
          CAPTURE(lives);
          CAPTURE(restart_s);
          CHECK(chosen <= 1.015 * best);
        }
      }
    }
  }
}

TEST_CASE("spot: what the first life holds needs no restart, so it is not cut") {
  // 5.9 h of work and a checkpoint of 5 minutes on a machine that lives for 6 hours.
  const auto whole = spot_time({0, 300, 600, 6, 0}, 5.9);
  CHECK(whole.mean_h == test::approx(5.9 + 300.0 / 3600));
  CHECK(whole.interruptions == 0);
  CHECK(whole.interval_s == test::approx(5.9 * 3600));
  // By brute force over all counts of parts 1.176 h.
  CHECK(spot_mean_h({0.18, 28, 836, 1.10, 0}, 1.06) == test::approx(1.176).epsilon(0.01));
}

TEST_CASE("spot: what can never finish is not given a time") {
  // A checkpoint an hour apart on machines that live half an hour.
  CHECK_FALSE(spot_time({.longest_life_h = 0.5, .interval_s = 3600}, 10).possible);
  CHECK_FALSE(
      spot_time({.interruptions_per_hour = 20, .restart_s = 3600, .interval_s = 600}, 10).possible);
  CHECK(spot_time({.longest_life_h = 0.5, .interval_s = 600}, 10).possible);
}

TEST_CASE("spot: a seed gives the same runs, a checkpoint holds parameters and momentum") {
  const SpotTerms terms{.interruptions_per_hour = 0.1, .checkpoint_s = 60, .restart_s = 300};
  CHECK(simulate_spot(terms, 20, 500).hours == simulate_spot(terms, 20, 500).hours);
  CHECK(simulate_spot(terms, 20, 500).hours != simulate_spot(terms, 20, 500, 2).hours);
  CHECK(checkpoint_bytes(make_network("resnet50")) == test::approx(25.557e6 * 8).epsilon(0.01));
}

TEST_CASE("spot: a machine that dies before its work begins is no plan") {
  // It starts up for 15 minutes and lives for 10: only work that fits the first life is possible.
  SpotTerms terms{.checkpoint_s = 1, .restart_s = 900, .longest_life_h = 10.0 / 60};
  const auto fits = spot_time(terms, 4.0 / 60);
  CHECK(fits.possible);
  CHECK(fits.mean_h == test::approx(fits.least_h));
  CHECK_FALSE(spot_time(terms, 1).possible);
  terms.interruptions_per_hour = 0.1;
  CHECK_FALSE(spot_time(terms, 4.0 / 60).possible);
}

TEST_CASE("spot: beyond the segments that are walked one by one the mean holds to a hundredth") {
  struct Long {
    double hazard, checkpoint_s, useful_h;
  };
  for (const auto& c :
       {Long{0.0, 16, 1000}, Long{0.005, 16.75, 1000}, Long{0.02, 20, 1000}, Long{0.02, 1, 3000}}) {
    const SpotTerms terms{.interruptions_per_hour = c.hazard,
                          .checkpoint_s = c.checkpoint_s,
                          .restart_s = 300,
                          .longest_life_h = 24};
    const auto law = spot_time(terms, c.useful_h);
    const auto played = simulate_spot(terms, c.useful_h, 300, 7);
    CAPTURE(c.hazard);
    CAPTURE(c.useful_h);
    CHECK(law.mean_h == test::approx(played.mean_h).epsilon(0.01));
    CHECK(law.interruptions == test::approx(played.mean_interruptions).epsilon(0.1));
  }
}
