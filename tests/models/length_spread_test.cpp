// Lengths of sequences that spread: against boost's distributions, integrals and what was traced.
#include "models/laws/length_spread.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <doctest/doctest.h>

#include "kernels/normal_distribution.h"
#include "models/calibration_files.h"
#include "models/calibration_table.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

// The mean of `of` over evenly spaced shares of a distribution.
template <typename Distribution>
double mean_over(const Distribution& lengths, const std::function<double(double)>& of) {
  constexpr int pieces = 200'000;
  double sum = 0;
  for (int i = 0; i < pieces; ++i) {
    sum += of(boost::math::quantile(lengths, (i + 0.5) / pieces));
  }
  return sum / pieces;
}

boost::math::lognormal_distribution<double> lognormal(double cv) {
  const double sd = std::sqrt(std::log1p(cv * cv));
  return {-sd * sd / 2, sd};
}

double quantile_of_trace(const std::string& trace, const std::string& of, double share) {
  for (const auto& row : parse_table(test::calibration_text("token_length_quantiles.csv"),
                                     "token_length_quantiles.csv")) {
    if (row.text("trace") == trace && row.text("of") == of && row.number("share") >= share) {
      return row.number("tokens");
    }
  }
  return 0;
}

}  // namespace

TEST_CASE("length spread: outputs are lognormal") {
  for (const double cv : {0.3, 0.77, 1.5, 2.15}) {
    const OutputSpread outputs{cv};
    const auto lengths = lognormal(cv);
    CAPTURE(cv);
    for (const double z : {-1.5, 0.0, 1.0, 2.3}) {
      const double share = boost::math::cdf(boost::math::normal(), z);
      CHECK(outputs.at(z) == test::approx(boost::math::quantile(lengths, share)));
      CHECK(normal_cdf(z) == test::approx(share));
    }
    for (const double from : {0.1, 0.7, 1.0, 3.0}) {
      CHECK(outputs.beyond(from) ==
            test::approx(mean_over(lengths, [&](double x) { return std::max(0.0, x - from); }))
                .epsilon(0.01)
                .scale(1e-4));  // of few pieces the mean is coarse
    }
    // E min = twice the integral of x (1 - F) dF.
    CHECK(outputs.shorter_of_two() ==
          test::approx(mean_over(lengths, [&](double x) {
            return 2 * x * boost::math::cdf(boost::math::complement(lengths, x));
          })).epsilon(0.01));
  }
  CHECK(OutputSpread{}.shorter_of_two() == 1);
  CHECK(OutputSpread{}.beyond(0.25) == 0.75);
}

TEST_CASE("length spread: prompts take what their lengths' moments say") {
  for (const double cv : {0.2, 0.96, 1.4}) {
    for (const double curve : {0.0, 0.1, 0.6, 1.0}) {
      const PromptSpread prompts{cv, curve};
      const boost::math::gamma_distribution<double> lengths(1 / (cv * cv), cv * cv);
      const auto work = [&](double x) { return x * (1 - curve + curve * x); };
      const double mean = mean_over(lengths, work);
      CAPTURE(cv);
      CAPTURE(curve);
      CHECK(prompts.mean() == test::approx(mean).epsilon(0.01));
      CHECK(prompts.variance() + 1 == test::approx(mean_over(lengths, [&](double x) {
                                        return std::pow(work(x) / mean, 2);
                                      })).epsilon(0.02));
      // Of shapes from a half on within 3 %.
      for (const double z : {0.0, 1.0, 2.3263}) {
        const double share = boost::math::cdf(boost::math::normal(), z);
        CHECK(prompts.at(z) ==
              test::approx(work(boost::math::quantile(lengths, share)) / mean).epsilon(0.07));
        CHECK(std::abs(prompts.z_of(prompts.at(z)) - z) < 1e-6);
      }
    }
  }
  const PromptSpread same{0, 0.3};
  CHECK(same.mean() == 1);
  CHECK(same.variance() == 0);
  CHECK(same.cube() == test::approx(1));
  CHECK(PromptSpread{1, 0}.cube() == test::approx(6));  // of an exponential one
}

// 99 of 100 prompts are cut where the provider's servers ended, at 3.6 times the mean.
TEST_CASE("length spread: what was traced is spread so, within a third from the median on") {
  int rows = 0;
  for (const auto& row :
       parse_table(test::calibration_text("token_lengths.csv"), "token_lengths.csv")) {
    const double mean = row.number("mean");
    const double cv = row.number("stddev") / mean;
    const bool prompts = row.text("of") == "prompt";
    CHECK(std::abs(row.number("correlation")) < 0.12);
    for (const auto& [share, z] :
         {std::pair{0.5, 0.0}, {0.9, 1.2816}, {0.95, 1.6449}, {0.99, 2.3263}}) {
      const double law = prompts ? PromptSpread{cv, 0}.at(z) : OutputSpread{cv}.at(z);
      const double traced = quantile_of_trace(row.text("trace"), row.text("of"), share) / mean;
      CAPTURE(row.text("trace"));
      CAPTURE(row.text("of"));
      CAPTURE(share);
      CHECK(law / traced > 0.75);
      CHECK(law / traced < 1.4);
    }
    ++rows;
  }
  CHECK(rows == 4);
}
