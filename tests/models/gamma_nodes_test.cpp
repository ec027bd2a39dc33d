// A gamma distribution by a few of its values: against boost's.
#include "models/laws/gamma_nodes.h"

#include <cmath>

#include <boost/math/distributions/gamma.hpp>
#include <doctest/doctest.h>

#include "support/approx.h"

using namespace rightsize;

TEST_CASE("gamma nodes: values are the middles of shares, and all of it is there") {
  for (const double shape : {0.0013, 0.07, 0.5, 1.0, 3.3, 39.0, 200.0}) {
    constexpr double mean = 0.25;
    const boost::math::gamma_distribution<double> gamma(shape, mean / shape);
    double share = 0;
    double sum = 0;
    CAPTURE(shape);
    for (const auto& node : gamma_nodes(mean, mean * mean / shape)) {
      const double value = boost::math::quantile(gamma, share + node.share / 2);
      const double off = shape < 0.1 ? 0.08 : 0.02;  // of less than a tenth of the mean
      CHECK(node.value == test::approx(value).epsilon(off).scale(1e-6));
      share += node.share;
      sum += node.share * node.value;
    }
    CHECK(share == test::approx(1));
    if (shape > 0.05) {  // of less, most is in the last share
      CHECK(sum == test::approx(mean).epsilon(0.04));
    }
  }
}
