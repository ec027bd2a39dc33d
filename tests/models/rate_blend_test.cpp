#include "models/laws/rate_blend.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "support/approx.h"

using namespace rightsize;

namespace {

// Of another GPU, network and framework than `point`, far from its batch.
BlendPoint unlike(const BlendPoint& point) {
  BlendPoint other = point;
  other.network = other.die = other.arch = other.chip = other.framework = 7;
  other.network_family = other.framework_family = 7;
  other.stack = Stack::era;
  other.precision = Precision::fp16;
  other.phase = Phase::infer;
  other.log_batch = point.log_batch + 20;
  return other;
}

}  // namespace

TEST_CASE("rate blend: points share what they agree in, by hand") {
  const BlendEffects of;
  const RateBlend blend;
  BlendPoint a;
  a.launch_share = 0.5;
  auto b = unlike(a);
  CHECK(blend.covariance(a, b) == 0);

  SUBCASE("a die, in another direction: its network's and framework's effects need those too") {
    b.die = a.die;
    CHECK(blend.covariance(a, b) == 0);
    b.phase = a.phase;
    CHECK(blend.covariance(a, b) == test::approx(of.die_direction));
    b.log_batch = a.log_batch;
    CHECK(blend.covariance(a, b) == test::approx(of.die_direction + of.batch_die));
  }
  SUBCASE("batches agree less the farther they are apart, in the same direction only") {
    b.arch = a.arch;
    b.log_batch = a.log_batch + 1;
    CHECK(blend.covariance(a, b) == test::approx(of.arch));
    b.phase = a.phase;
    CHECK(blend.covariance(a, b) == test::approx(of.arch + of.batch_arch * std::exp(-0.5)));
    b.precision = a.precision;
    CHECK(blend.covariance(a, b) ==
          test::approx(of.arch + of.arch_precision + of.batch_arch * std::exp(-0.5)));
  }
  SUBCASE("a framework, by how far both wait for launches") {
    b.framework = a.framework;
    b.launch_share = 0.4;
    CHECK(blend.covariance(a, b) == test::approx(0.5 * 0.4 * of.launch_framework));
    b.network = a.network;
    CHECK(blend.covariance(a, b) ==
          test::approx(0.5 * 0.4 * of.launch_framework + of.framework_network));
  }
  SUBCASE("frameworks that are not known are not the same") {
    a.framework = b.framework = -1;
    a.framework_family = b.framework_family = -1;
    CHECK(blend.covariance(a, b) == 0);
  }
  SUBCASE("with itself a point shares every effect but the noise") {
    double all = 0;
    for (const auto& [name, variance] : named_blend_effects()) {
      const bool launches = name == "launch stack" || name == "launch framework";
      all += name == "noise" ? 0 : of.*variance * (launches ? 0.25 : 1);
    }
    CHECK(blend.covariance(a, a) == test::approx(all));
  }
}

// Rasmussen & Williams, eq. 2.25 and 2.26, of one figure: k / (v + noise) of its residual, and what
// that leaves of the variance.
TEST_CASE("rate blend: of one figure its residual in proportion") {
  const BlendEffects of;
  const RateBlend blend;
  const BlendPoint at;
  auto asked = at;
  asked.die = asked.arch = asked.chip = 3;
  const std::vector<BlendFigure> figures{{at, 0.2, true}, {at, 5.0, false}};
  const double own = blend.covariance(at, at) + of.noise;
  const double shared = blend.covariance(asked, at);
  const auto found = blend.at(std::vector{asked}, figures);
  REQUIRE(found.size() == 1);
  CHECK(found[0].log_correction == test::approx(0.2 * shared / own));
  CHECK(found[0].log_sd == test::approx(std::sqrt(own - shared * shared / own)));
}

// Of many figures the nearest are taken: those by whose covariances, added up over the points, they
// rank first. What the others say is not heard.
TEST_CASE("rate blend: of more figures than are asked those that share the most") {
  const RateBlend blend;
  std::mt19937 random(3);
  const auto one_of = [&](int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
  };
  std::vector<BlendPoint> points(3);
  for (int i = 0; i < 3; ++i) {
    points[i].framework = i;
    points[i].framework_family = i / 2;
    points[i].launch_share = 0.1 * i;
  }
  std::vector<BlendFigure> figures(300);
  for (auto& [at, log_residual, usable] : figures) {
    at.network = one_of(3);
    at.network_family = at.network / 2;
    at.die = one_of(4);
    at.arch = at.chip = at.die / 2;
    at.framework = one_of(6);
    at.framework_family = at.framework / 2;
    at.phase = one_of(2) == 0 ? Phase::train : Phase::infer;
    at.log_batch = one_of(40) / 8.0;
    at.launch_share = one_of(100) / 100.0;
    log_residual = one_of(200) / 1000.0;
  }
  auto ranked = figures;
  const auto shared = [&](const BlendFigure& figure) {
    double sum = 0;
    for (const auto& point : points) {
      sum += blend.covariance(point, figure.at);
    }
    return sum;
  };
  std::stable_sort(ranked.begin(), ranked.end(), [&](const auto& a, const auto& b) {
    return shared(a) > shared(b);
  });
  const auto all = blend.at(points, figures);
  constexpr std::ptrdiff_t asked = 96;
  const auto nearest = blend.at(points, std::vector(ranked.begin(), ranked.begin() + asked));
  const auto fewer = blend.at(points, std::vector(ranked.begin(), ranked.begin() + asked - 9));
  for (std::size_t i = 0; i < points.size(); ++i) {
    CHECK(all[i].log_correction == test::approx(nearest[i].log_correction).epsilon(1e-9));
    CHECK(all[i].log_sd == test::approx(nearest[i].log_sd).epsilon(1e-9));
    CHECK(all[i].log_sd < fewer[i].log_sd);
  }
}
