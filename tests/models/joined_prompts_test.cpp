// Prompts of one iteration, which take less together: against what is known in closed form where
// they do not, and against iterations drawn one after another where they do.
#include "models/laws/joined_prompts.h"

#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include "support/approx.h"

using namespace rightsize;

namespace {

struct Drawn {
  double period_s = 0;
  double variance = 0;
};

// Iterations one after another: each computes what came during the last.
Drawn drawn(const PromptCost& cost, double per_s, double step_s) {
  std::mt19937_64 random(5);
  double last_s = step_s;
  double sum = 0;
  double squares = 0;
  constexpr int iterations = 1'000'000;
  for (int i = 0; i < iterations; ++i) {
    const int prompts = std::poisson_distribution<int>(per_s * last_s)(random);
    last_s = step_s + (prompts > 0 ? cost.seconds(prompts) : 0);
    sum += last_s;
    squares += last_s * last_s;
  }
  const double mean = sum / iterations;
  return {mean, squares / iterations - mean * mean};
}

}  // namespace

TEST_CASE("joined prompts: what one takes, and one more") {
  const PromptCost cost{
      .products_s = 0.02, .attention_s = 0.08, .engines = 8, .experts_s = 0.05, .reduce_s = 0.001};
  CHECK(cost.seconds(1) == test::approx(0.02 + 0.07 + 0.001));
  CHECK(cost.seconds(8) == test::approx(8 * 0.021));
  CHECK(cost.seconds(20) == test::approx(20 * 0.021));
  for (const double prompts : {1.0, 3.0, 9.0}) {
    CHECK(cost.seconds(prompts + 0.5) - cost.seconds(prompts) ==
          test::approx(0.5 * cost.seconds_of_one_more(prompts)));
  }
  const PromptCost reads{.products_s = 0.001, .experts_s = 0.05, .reduce_s = 0.001};
  CHECK(reads.seconds(10) == test::approx(0.05 + 10 * 0.001));  // nobody's products last longer
  CHECK(reads.seconds_of_one_more(10) == test::approx(0.001));
}

TEST_CASE("joined prompts: one by one they lengthen iterations by their share of the time") {
  // What Poisson hands on from iteration to iteration: T = step + prompt K, K ~ Poisson(a T).
  constexpr double step_s = 0.02;
  constexpr double prompt_s = 0.05;
  for (const double share : {0.01, 0.2, 0.5, 0.8, 0.95}) {
    CAPTURE(share);
    const auto joined = joined_prompts({.products_s = prompt_s}, share / prompt_s, step_s);
    const double period_s = step_s / (1 - share);
    CHECK(joined.period_s == test::approx(period_s).epsilon(1e-3));
    CHECK(joined.more_s == test::approx(prompt_s));
    const double variance = share * period_s * prompt_s / (1 - share * share);
    CHECK(joined.variance == test::approx(variance).epsilon(1e-3));
  }
}

TEST_CASE("joined prompts: iterations are as long as those drawn") {
  const PromptCost unshared{.products_s = 0.06, .attention_s = 0.3, .engines = 8, .reduce_s = 0.01};
  const PromptCost read{.products_s = 0.01, .experts_s = 0.05};
  for (const auto* cost : {&unshared, &read}) {
    const double most = 1 / (cost->products_s + cost->reduce_s);
    for (const double share : {0.02, 0.1, 0.3, 0.5, 0.7}) {
      CAPTURE(cost->engines);
      CAPTURE(share);
      const auto joined = joined_prompts(*cost, share * most, 0.01);
      const auto iterations = drawn(*cost, share * most, 0.01);
      CHECK(joined.period_s == test::approx(iterations.period_s).epsilon(0.05));
      CHECK(joined.variance == test::approx(iterations.variance).epsilon(0.45));
    }
  }
}

// Where a prompt lasts many iterations, a few more that come prolong everything.
TEST_CASE("joined prompts: long ones at a high load are as long as those drawn") {
  const PromptCost cost{.products_s = 0.52};
  for (const double share : {0.6, 0.73, 0.78, 0.83, 0.88}) {
    CAPTURE(share);
    const auto joined = joined_prompts(cost, share / cost.products_s, 0.017);
    CHECK(joined.period_s == test::approx(0.017 / (1 - share)).epsilon(0.25));
  }
}
