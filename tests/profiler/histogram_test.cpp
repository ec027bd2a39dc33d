#include "profiler/histogram.h"

#include <doctest/doctest.h>

#include "support/approx.h"

using namespace rightsize;

TEST_CASE("histogram: quantiles are within half a bucket, the mean is exact") {
  Histogram histogram;
  for (int i = 1; i <= 100'000; ++i) {
    histogram.add(i * 1000);
  }
  CHECK(histogram.mean_seconds() == test::approx(50.0005e-3).epsilon(1e-9));
  for (const double share : {0.01, 0.5, 0.95, 0.99, 0.999}) {
    CHECK(histogram.quantile_seconds(share) == test::approx(share * 0.1).epsilon(0.004));
  }
  CHECK(histogram.most_seconds() == test::approx(0.1));
}
