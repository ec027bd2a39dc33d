#include "profiler/measure/statistics.h"

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "support/approx.h"

using namespace rightsize;

TEST_CASE("statistics: quantiles interpolate between order statistics, type 7") {
  const std::vector<double> samples{4, 1, 3, 2};
  CHECK(quantile(samples, 0) == 1);
  CHECK(quantile(samples, 1) == 4);
  CHECK(quantile(samples, 0.5) == 2.5);
  CHECK(quantile(samples, 0.9) == test::approx(3.7));
  CHECK(quantile({}, 0.5) == 0);
}

TEST_CASE("statistics: the median absolute deviation ignores one wild sample") {
  const std::vector<double> samples{10, 11, 9, 10, 1000};
  CHECK(median_absolute_deviation(samples) == test::approx(1.4826));
}

TEST_CASE("statistics: the interval of the median has the ranks of the binomial tables") {
  // Ranks for 95 % as in Le Boudec, table A.1: n=6 (1,6), n=10 (2,9), n=20 (6,15), n=50 (18,33).
  const auto ranks = [](int n) {
    std::vector<double> samples;
    for (int i = n; i >= 1; --i) {
      samples.push_back(i);
    }
    const auto interval = median_interval(samples);
    return std::pair(interval.low, interval.high);
  };
  CHECK(ranks(3) == std::pair(1.0, 3.0));
  CHECK(ranks(6) == std::pair(1.0, 6.0));
  CHECK(ranks(10) == std::pair(2.0, 9.0));
  CHECK(ranks(20) == std::pair(6.0, 15.0));
  CHECK(ranks(50) == std::pair(18.0, 33.0));
}

// 0.98 sqrt(n) ranks on either side of the middle, by the normal approximation of the binomial.
TEST_CASE("statistics: of thousands of samples the median has an interval too") {
  for (const int n : {1074, 1075, 4000, 100'000}) {
    std::vector<double> samples(static_cast<std::size_t>(n));
    std::iota(samples.begin(), samples.end(), 0.0);
    const auto interval = median_interval(samples);
    CAPTURE(n);
    CHECK(interval.high - interval.low ==
          test::approx(2 * 0.98 * std::sqrt(static_cast<double>(n))).epsilon(0.05));
  }
}

TEST_CASE("statistics: the interval covers the true median as often as it claims") {
  std::mt19937 random(7);
  std::exponential_distribution<double> draw(1.0);  // true median: ln 2, and skewed
  int covered = 0;
  constexpr int trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> samples(15);
    for (auto& sample : samples) {
      sample = draw(random);
    }
    const auto interval = median_interval(samples);
    covered += interval.low <= 0.693147 && 0.693147 <= interval.high ? 1 : 0;
  }
  const double share = static_cast<double>(covered) / trials;
  CHECK(share > 0.95);
  CHECK(share < 0.98);
}

TEST_CASE("statistics: a summary of nothing is empty, of one sample is that sample") {
  CHECK(summarize({}).samples == 0);
  const auto one = summarize(std::vector<double>{5});
  CHECK(one.low == 5);
  CHECK(one.high == 5);
  CHECK(one.relative_noise == 0);
}
