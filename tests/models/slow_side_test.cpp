// The slow end of several uncertain resources against closed forms and draws.
#include "models/slow_side.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "models/laws/normal_quantile.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

Bounds of(double disk, double cpu, double accelerator) {
  auto bounds = unlimited();
  bounds[Bound::disk] = disk;
  bounds[Bound::cpu] = cpu;
  bounds[Bound::accelerator] = accelerator;
  return bounds;
}

using Errors = std::array<double, 3>;  // of ln(bound): disk, cpu, accelerator

double told(const Bounds& bounds, double sharpness, const Errors& sds) {
  SlowSide slow(bounds, composed_items_per_s(bounds, sharpness), sharpness);
  constexpr std::array resources{Bound::disk, Bound::cpu, Bound::accelerator};
  for (std::size_t i = 0; i < resources.size(); ++i) {
    auto slower = bounds;
    slower[resources.at(i)] *= std::exp(-normal_90 * sds.at(i));
    slow.add(slower, normal_90);
  }
  return slow.log_sd();
}

// Of lognormal bounds that are drawn and composed.
double drawn(const Bounds& bounds, double sharpness, const Errors& sds) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  constexpr std::size_t draws = 200'000;
  std::vector<double> rates(draws);
  for (auto& rate : rates) {
    rate = composed_items_per_s(of(bounds[Bound::disk] * std::exp(sds[0] * normal(random)),
                                   bounds[Bound::cpu] * std::exp(sds[1] * normal(random)),
                                   bounds[Bound::accelerator] * std::exp(sds[2] * normal(random))),
                                sharpness);
  }
  const auto twentieth = rates.begin() + draws / 20;
  std::nth_element(rates.begin(), twentieth, rates.end());
  return std::log(composed_items_per_s(bounds, sharpness) / *twentieth) / normal_90;
}

}  // namespace

TEST_CASE("slow side: one that is uncertain is as uncertain as it is, and none not at all") {
  constexpr double sharp = 60;
  CHECK(told(of(100, 1000, 1000), sharp, {0.2, 0, 0}) == test::approx(0.2).epsilon(1e-6));
  CHECK(told(of(100, 1000, 1000), sharp, {0, 0, 0}) == 0);
  CHECK(told(of(100, 1000, 1000), sharp, {0, 0.01, 0}) < 1e-9);
}

TEST_CASE("slow side: errors of one resource add up as squares") {
  const auto bounds = of(100, 1000, 1000);
  SlowSide slow(bounds, 100, 60);
  for (const double sd : {0.3, 0.4}) {
    auto slower = bounds;
    slower[Bound::disk] *= std::exp(-sd);
    slow.add(slower, 1);
  }
  CHECK(slow.log_sd() == test::approx(0.5).epsilon(1e-6));
}

TEST_CASE("slow side: of equals as the least of independent normals") {
  // 1 - (1 - p)^n = 0.05 for n of them.
  constexpr double sharp = 400;
  CHECK(told(of(100, 100, 1e6), sharp, {0.3, 0.3, 0}) ==
        test::approx(0.3 * 1.9545 / normal_90).epsilon(0.01));
  CHECK(told(of(100, 100, 100), sharp, {0.3, 0.3, 0.3}) ==
        test::approx(0.3 * 2.1212 / normal_90).epsilon(0.01));
}

TEST_CASE("slow side: as what is drawn of bounds that are near each other and apart") {
  for (const double sharpness : {8.0, 30.0}) {
    for (const auto& bounds :
         {of(100, 100, 100), of(100, 130, 180), of(150, 100, 110), of(1000, 100, 250)}) {
      for (const auto& sds : {Errors{0.1, 0.3, 0.4}, Errors{0.05, 0.2, 0.2}, Errors{0.4, 0.1, 0}}) {
        CAPTURE(sharpness);
        CAPTURE(bounds[Bound::disk]);
        CAPTURE(sds[0]);
        CHECK(told(bounds, sharpness, sds) ==
              test::approx(drawn(bounds, sharpness, sds)).epsilon(0.07));
      }
    }
  }
}

TEST_CASE("slow side: what is faster never makes the slow end slower") {
  for (const double sharpness : {6.0, 25.0, 200.0}) {
    double before = 0;
    for (double disk = 20; disk < 2000; disk *= 1.1) {
      const auto bounds = of(disk, 200, 260);
      const double end = composed_items_per_s(bounds, sharpness) *
                         std::exp(-normal_90 * told(bounds, sharpness, {0.05, 0.3, 0.4}));
      CAPTURE(disk);
      CHECK(end > before * (1 - 2e-3));
      before = end;
    }
  }
}
