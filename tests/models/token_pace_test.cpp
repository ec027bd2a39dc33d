// A sequence's mean time between tokens, where it hangs on nothing that was not counted by hand.
#include "models/laws/token_pace.h"

#include <cmath>
#include <initializer_list>

#include <doctest/doctest.h>

#include "support/approx.h"

using namespace rightsize;

namespace {

constexpr double z_99 = 2.3263478740408408;

// Prompts that hold nobody up, and others that come and go.
TokenPace crowd(double cv) {
  return {.mean_s = 0.02, .crowd_s = 0.001, .output_tokens = 128, .outputs = {cv}};
}

// `per_token` prompts of 0.1 s come by chance to a token.
TokenPace prompts(double per_token) {
  constexpr double prompt_s = 0.1;
  return {.mean_s = 0.02 + per_token * prompt_s,
          .prompts_s = per_token * prompt_s,
          .prompts_s2 = per_token * prompt_s * prompt_s / 128,
          .output_tokens = 128};
}

}  // namespace

TEST_CASE("token pace: of many prompts a normal, of few a skewed distribution") {
  CHECK(crowd(0).seconds(z_99) == test::approx(0.02 + z_99 * 0.001).epsilon(1e-3));
  CHECK(crowd(0).seconds(0) == test::approx(0.02).epsilon(1e-3));
  const auto many = prompts(10);
  const double sd = std::sqrt(many.prompts_s2);
  CHECK(many.seconds(z_99) == test::approx(many.mean_s + z_99 * sd).epsilon(0.005));
  // One in 64 tokens: two in the mean of an output, six at the 99th percentile of Poisson's.
  const auto few = prompts(1.0 / 64);
  CHECK(few.seconds(z_99) == test::approx(0.02 + 6 * 0.1 / 128).epsilon(0.03));
  CHECK(few.seconds(0) < few.mean_s);
}

TEST_CASE("token pace: short outputs see more of what is by chance") {
  double before = crowd(0).seconds(z_99);
  for (const double cv : {0.3, 0.77, 1.5}) {
    const double now = crowd(cv).seconds(z_99);
    CHECK(now > before);
    before = now;
  }
  // At most all that others vary by: f(x) is 1 of the shortest and 2/3 of those that are all one.
  CHECK(before < 0.02 + z_99 * 0.001 * std::sqrt(1.5) * 1.001);
  CHECK(crowd(1e-3).seconds(z_99) == test::approx(crowd(0).seconds(z_99)).epsilon(1e-3));
}

TEST_CASE("token pace: prompts that came during its own fall to its first tokens") {
  auto pace = prompts(1.0 / 64);
  const double before = pace.seconds(0);
  pace.during_own_s = 0.5;
  pace.during_own_s2 = 0.05;
  CHECK(pace.seconds(z_99) > before + 0.5 / 127);
  auto longer = pace;
  longer.output_tokens = 1280;
  longer.prompts_s2 /= 10;
  CHECK(longer.seconds(0) - (0.02 + 0.1 / 64) < 0.2 * (pace.seconds(0) - 0.02));
}
