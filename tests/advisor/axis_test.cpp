#include "advisor/report/axis.h"

#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include "support/approx.h"

using namespace rightsize::report;
using rightsize::test::approx;

TEST_CASE(
    "axis: nice ticks are few, rising, inside, evenly spaced, and 1, 2 or 5 times a power of ten") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> power(-6, 9);
  for (int i = 0; i < 2000; ++i) {
    const double low = std::pow(10, power(random)) - std::pow(10, power(random));
    const Range range{low, low + std::pow(10, power(random))};
    const auto ticks = nice_ticks(range, 6);
    if (range.high - range.low < 1e-6 * std::abs(low)) {
      continue;  // closer than labels could tell apart
    }
    REQUIRE(ticks.size() >= 2);
    CHECK(ticks.size() <= 13);
    const double step = ticks[1] - ticks[0];
    const double digit = step / std::pow(10, std::floor(std::log10(step) + 1e-6));
    CHECK((std::abs(digit - 1) < 1e-3 || std::abs(digit - 2) < 1e-3 || std::abs(digit - 5) < 1e-3));
    for (std::size_t t = 0; t < ticks.size(); ++t) {
      CHECK(ticks[t] >= range.low - step * 1e-6);
      CHECK(ticks[t] <= range.high + step * 1e-6);
      CHECK(std::abs(ticks[t] - ticks[0] - step * static_cast<double>(t)) < 1e-5 * step);
    }
  }
}

TEST_CASE("axis: log ticks are rising and inside, fine over a decade and coarse over many") {
  CHECK(log_ticks({1, 100}) == std::vector<double>{1, 2, 5, 10, 20, 50, 100});
  CHECK(log_ticks({1, 1e6}).size() == 7);
  const auto narrow = log_ticks({21, 23});
  CHECK(narrow.size() >= 2);
  CHECK(narrow.front() >= 21);
  CHECK(narrow.back() <= 23);
}

TEST_CASE("axis: positions are monotone on both scales, and a decade is as long as the next") {
  for (const auto scale : {Scale::linear, Scale::logarithmic}) {
    const Axis axis{scale, {1, 1000}, {300, 0}};
    CHECK(axis.position(1) == approx(300));
    CHECK(axis.position(1000) == approx(0));
    double last = 301;
    for (double value = 1; value <= 1000; value *= 1.1) {
      CHECK(axis.position(value) < last);
      last = axis.position(value);
    }
  }
  const Axis log{Scale::logarithmic, {1, 1000}, {0, 300}};
  CHECK(log.position(10) == approx(100));
  CHECK(log.position(100) == approx(200));
}

TEST_CASE("axis: a range is never empty, whatever the values") {
  for (const auto scale : {Scale::linear, Scale::logarithmic}) {
    for (const auto& values : std::vector<std::vector<double>>{
             {}, {5}, {0}, {NAN}, {INFINITY, 3}, {0, 0}, {-1, 2}, {2, 2, 2}}) {
      const auto range = range_of(values, scale);
      CHECK(range.high > range.low);
      CHECK(std::isfinite(range.low));
      CHECK((scale == Scale::linear || range.low > 0));
    }
  }
  CHECK(range_of(std::vector<double>{3, 9}, Scale::linear, true).low == 0);
}
