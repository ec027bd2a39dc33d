// When first tokens come: against sums that are drawn.
#include "models/laws/first_token.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/normal_distribution.h"
#include "profiler/quantile.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

// Waiting and a prompt's products, each of a gamma distribution, and an iteration.
double drawn_quantile(const FirstToken& token, double share) {
  std::mt19937_64 engine(5);
  const auto& [mean, variance] = token.wait;
  const double cv = token.prompt.spread.cv;
  std::gamma_distribution<double> waits(mean * mean / variance, variance / mean);
  std::gamma_distribution<double> lengths(1 / (cv * cv), cv * cv);
  std::vector<double> all;
  for (int i = 0; i < 200'000; ++i) {
    all.push_back(waits(engine) +
                  std::max(token.prompt.products_s * lengths(engine), token.prompt.experts_s) +
                  token.iteration_s);
  }
  std::sort(all.begin(), all.end());
  return quantile_of_sorted(all, share);
}

}  // namespace

TEST_CASE("first token: quantiles are those of waiting and prompts that are drawn") {
  for (const double wait_s : {0.02, 0.2, 2.0}) {
    for (const double experts_s : {0.0, 0.15}) {
      const FirstToken token{{wait_s, 2 * wait_s * wait_s}, {0.2, 0, experts_s, {0.96, 0}}, 0.03};
      CAPTURE(wait_s);
      CAPTURE(experts_s);
      for (const double share : {0.5, 0.95, 0.99}) {
        const double quantile = token.quantile(share);
        CHECK(quantile == test::approx(drawn_quantile(token, share)).epsilon(0.04));
        CHECK(token.is_within(share, quantile * 1.001));
        CHECK_FALSE(token.is_within(share, quantile * 0.999));
      }
    }
  }
}

TEST_CASE("first token: who never waits waits for his own prompt") {
  const PromptSpread spread{0.5, 0.2};
  const FirstToken token{{}, {0.2, 0.01, 0, spread}, 0.03};
  for (const double z : {0.0, 1.6449, 2.3263}) {
    CHECK(token.quantile(normal_cdf(z)) == test::approx(0.03 + 0.21 * spread.at(z)).epsilon(1e-3));
    CHECK(std::abs(token.prompt.z_of(token.prompt.seconds(z)) - z) < 1e-5);
  }
  const FirstToken same{{}, {0.2, 0.01, 0.3, {}}, 0.03};
  CHECK(same.quantile(0.99) == test::approx(0.34));
}
