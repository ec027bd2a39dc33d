#include "advisor/judge/chance.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include <doctest/doctest.h>

#include "advisor/judge/pair_chance.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

UncertainCost option(double cost, const char* gpu, double gpu_sd, double own_sd) {
  UncertainCost uncertain;
  uncertain.log_mean = std::log(cost);
  uncertain.accelerator_sd = gpu_sd;
  uncertain.own_sd = own_sd;
  uncertain.gpu = gpu;
  return uncertain;
}

}  // namespace

TEST_CASE("chance: probabilities of being cheapest add up to one") {
  const auto chances = draw_chances(
      {option(10, "A", 0.1, 0.05), option(11, "B", 0.1, 0.05), option(12, "A", 0.1, 0.05)},
      2000,
      1);
  CHECK(std::accumulate(chances.begin(), chances.end(), 0.0) == test::approx(1.0));
  CHECK(chances[0] > chances[2]);
}

TEST_CASE("chance: two equal independent options have even chances") {
  const auto chances = draw_chances({option(10, "A", 0.2, 0), option(10, "B", 0.2, 0)}, 20000, 2);
  CHECK(chances[0] == test::approx(0.5).epsilon(0.05));
}

TEST_CASE("chance: options that share a GPU share its error, so the order is certain") {
  const auto chances = draw_chances({option(10, "A", 0.5, 0), option(11, "A", 0.5, 0)}, 2000, 3);
  CHECK(chances[0] == 1.0);
  CHECK(chance_of_beating(option(10, "A", 0.5, 0), option(11, "A", 0.5, 0)) == 0.0);
}

TEST_CASE("chance: agrees with the closed form for two normals") {
  // P(a < b) = Phi((ln 11 - ln 10) / sqrt(0.1^2 + 0.1^2)) = Phi(0.674) = 0.750
  const auto chances = draw_chances({option(10, "A", 0, 0.1), option(11, "B", 0, 0.1)}, 40000, 4);
  CHECK(chances[0] == test::approx(0.750).epsilon(0.02));
}

TEST_CASE("chance: an option that cannot win changes nothing and has no chance") {
  const auto alone = draw_chances({option(10, "A", 0.1, 0.1), option(11, "B", 0.1, 0.1)}, 2000, 5);
  const auto with = draw_chances(
      {option(10, "A", 0.1, 0.1), option(11, "B", 0.1, 0.1), option(60, "C", 0.1, 0.1)}, 2000, 5);
  CHECK(with[0] == alone[0]);
  CHECK(with[2] == 0.0);
}

TEST_CASE("chance: beside a vague first option, one that cannot win may still be cheaper than it") {
  // P(third < first) = Phi((0 - 0.5) / 1) = 0.3085, though the second is always cheaper than it.
  const std::vector<UncertainCost> options{option(1, "A", 1.0, 0),
                                           option(std::exp(0.1), "B", 0, 0.01),
                                           option(std::exp(0.5), "C", 0, 0.01)};
  CHECK(draw_chances(options, 20000, 6)[2] == 0.0);
  CHECK(chance_of_beating(options[0], options[2]) == test::approx(0.3085).epsilon(1e-3));
}

TEST_CASE("chance: a fleet is whole machines: what a little more time does not move, it does not") {
  // One at $10 a month each and $21 in all: two machines up to a tenth slower, then three.
  const std::vector<UncertainCost> options{option(20, "A", 0.05, 0), option(21, "B", 0.05, 0)};
  const auto whole = [](std::size_t i, double ln_factor) {
    return std::log(i == 1 ? 21.0 : ln_factor > 0.1 ? 30.0 : 20.0);
  };
  const auto chances = draw_chances(options, 40000, 6, {whole, {}});
  // P(the first is more than a tenth slower) = 1 - Phi(0.1 / 0.05) = 0.0228
  CHECK(chances[1] == test::approx(0.0228).epsilon(0.1));
  CHECK(chance_of_beating(options[0], options[1], whole) == test::approx(0.02275).epsilon(0.02));
  // Were machines divisible: P(ln 21 - ln 20 < 0.05 sqrt(2) z) = 1 - Phi(0.690) = 0.245
  CHECK(draw_chances(options, 40000, 6)[1] == test::approx(0.245).epsilon(0.05));
}

// Two standard deviations are the step: P(z > 2) = P(z < -2) = 0.0228.
TEST_CASE("chance: a first fleet that may need another machine meets one that may need fewer") {
  const std::vector<UncertainCost> options{option(1, "A", 0.02, 0), option(3, "B", 0.02, 0)};
  const auto whole = [](std::size_t i, double ln_factor) {
    return i == 0 ? std::log(ln_factor > 0.04 ? 2.0 : 1.0) : std::log(ln_factor < 0 ? 1.5 : 3.0);
  };
  const auto chances = draw_chances(options, 40000, 8, {whole, {}});
  // The first costs two, the other half of the time one and a half.
  CHECK(chance_of_beating(options[0], options[1], whole) ==
        test::approx(0.02275 / 2).epsilon(0.02));
  CHECK(chances[1] == test::approx(0.0228 / 2).epsilon(0.15));
}

TEST_CASE("chance: where no number of the first's machines may be enough, anybody's are cheaper") {
  const std::vector<UncertainCost> options{option(1, "A", 0.02, 0), option(50, "B", 0.02, 0)};
  const auto whole = [](std::size_t i, double ln_factor) {
    return i == 1             ? std::log(50.0)
           : ln_factor > 0.04 ? std::numeric_limits<double>::infinity()
                              : 0.0;
  };
  const auto chances = draw_chances(options, 40000, 9, {whole, {}});
  CHECK(chance_of_beating(options[0], options[1], whole) == test::approx(0.02275).epsilon(0.02));
  CHECK(chances[0] == test::approx(1 - 0.0228).epsilon(0.01));
}

TEST_CASE("chance: of errors that count less to the sooner side it is what draws give") {
  auto near_tie = option(10, "A", 0.4, 0.1);
  near_tie.faster = 0.3;
  const auto even = option(11, "B", 0.3, 0.05);
  auto same_gpu = option(10.5, "A", 0.2, 0.1);
  same_gpu.faster = 0.8;
  for (const auto& other : {even, same_gpu}) {
    CAPTURE(other.gpu);
    const double drawn = draw_chances({near_tie, other}, 200000, 7)[1];
    CHECK(chance_of_beating(near_tie, other) == test::approx(drawn).epsilon(0.01));
    CHECK(chance_of_beating(other, near_tie) == test::approx(1 - drawn).epsilon(0.01));
  }
  // Of what errors less to the sooner side there is less to be won.
  auto plain = near_tie;
  plain.faster = 1;
  CHECK(chance_of_beating(near_tie, even) > chance_of_beating(plain, even) + 0.05);
  CHECK(chance_of_beating(near_tie, near_tie) == test::approx(0.5).epsilon(1e-3));
}

TEST_CASE("chance: equal costs share a win") {
  const std::vector<UncertainCost> options{option(20, "A", 0.05, 0), option(20, "B", 0.05, 0)};
  const StepCost same = [](std::size_t, double) { return 3.0; };
  const auto chances = draw_chances(options, 100, 7, {same, {}});
  CHECK(chances[0] == 0.5);
  CHECK(chances[1] == 0.5);
  CHECK(chance_of_beating(options[0], options[1], same) == test::approx(0.5));
}

// Steps so small that there are none: the sum is the closed form's, and the bound is above it.
TEST_CASE("chance: summed over steps it is what two normals have in closed form") {
  for (const double gpu_sd : {0.0, 0.1, 0.3}) {
    for (const double own_sd : {0.02, 0.2}) {
      for (const char* other_gpu : {"A", "B"}) {
        CAPTURE(gpu_sd);
        CAPTURE(own_sd);
        CAPTURE(other_gpu);
        const auto first = option(10, "A", gpu_sd, own_sd);
        const auto other = option(11, other_gpu, 0.8 * gpu_sd, own_sd);
        const StepCost smooth = [&](std::size_t i, double ln_factor) {
          return (i == 0 ? first : other).log_mean + ln_factor;
        };
        const double exact = chance_of_beating(first, other);
        CHECK(std::abs(chance_of_beating(first, other, smooth) - exact) < 2e-3);
        CHECK(most_chance_of_beating(first, other, smooth) >= exact - 1e-9);
        if (own_sd > 0.1) {  // by a cell's width it is above, which two that move as one feel
          CHECK(most_chance_of_beating(first, other, smooth) < exact + 0.2);
        }
      }
    }
  }
}

TEST_CASE("chance: who cannot win even at the least of costs is not worked out") {
  const std::vector<UncertainCost> options{
      option(10, "A", 0.1, 0.05), option(11, "B", 0.1, 0.05), option(60, "A", 0.1, 0.05)};
  std::set<std::size_t> worked_out;
  const StepCost whole = [&](std::size_t i, double ln_factor) {
    worked_out.insert(i);
    return std::log(std::ceil(std::exp(options[i].log_mean + ln_factor)));
  };
  const StepCost least = [&](std::size_t i, double ln_factor) {
    return options[i].log_mean + ln_factor;
  };
  const auto all = draw_chances(options, 20000, 10, {whole, {}});
  CHECK(worked_out.size() == 3);
  worked_out.clear();
  const auto some = draw_chances(options, 20000, 10, {whole, least});
  CHECK(worked_out.count(2) == 0);
  CHECK(some[2] == 0.0);
  CHECK(some[0] == test::approx(all[0]).epsilon(0.03));
}
