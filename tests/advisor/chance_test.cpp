#include "advisor/judge/chance.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <doctest/doctest.h>

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
  CHECK(std::accumulate(chances.cheapest.begin(), chances.cheapest.end(), 0.0) ==
        doctest::Approx(1.0));
  CHECK(chances.cheapest[0] > chances.cheapest[2]);
}

TEST_CASE("chance: two equal independent options have even chances") {
  const auto chances = draw_chances({option(10, "A", 0.2, 0), option(10, "B", 0.2, 0)}, 20000, 2);
  CHECK(chances.cheapest[0] == doctest::Approx(0.5).epsilon(0.05));
}

TEST_CASE("chance: options that share a GPU share its error, so the order is certain") {
  const auto chances = draw_chances({option(10, "A", 0.5, 0), option(11, "A", 0.5, 0)}, 2000, 3);
  CHECK(chances.cheapest[0] == 1.0);
  CHECK(chances.beats_first[1] == 0.0);
}

TEST_CASE("chance: agrees with the closed form for two normals") {
  // P(a < b) = Phi((ln 11 - ln 10) / sqrt(0.1^2 + 0.1^2)) = Phi(0.674) = 0.750
  const auto chances = draw_chances({option(10, "A", 0, 0.1), option(11, "B", 0, 0.1)}, 40000, 4);
  CHECK(chances.cheapest[0] == doctest::Approx(0.750).epsilon(0.02));
}

TEST_CASE("chance: an option that cannot win changes nothing and has no chance") {
  const auto alone = draw_chances({option(10, "A", 0.1, 0.1), option(11, "B", 0.1, 0.1)}, 2000, 5);
  const auto with = draw_chances(
      {option(10, "A", 0.1, 0.1), option(11, "B", 0.1, 0.1), option(60, "C", 0.1, 0.1)}, 2000, 5);
  CHECK(with.cheapest[0] == alone.cheapest[0]);
  CHECK(with.beats_first[1] == alone.beats_first[1]);
  CHECK(with.cheapest[2] == 0.0);
  CHECK(with.beats_first[2] == 0.0);
}

TEST_CASE("chance: beside a vague first option, one that cannot win may still be cheaper than it") {
  // P(third < first) = Phi((0 - 0.5) / 1) = 0.31, though the second is always cheaper than it.
  const auto chances = draw_chances({option(1, "A", 1.0, 0),
                                     option(std::exp(0.1), "B", 0, 0.01),
                                     option(std::exp(0.5), "C", 0, 0.01)},
                                    20000,
                                    6);
  CHECK(chances.cheapest[2] == 0.0);
  CHECK(chances.beats_first[2] == doctest::Approx(0.31).epsilon(0.05));
}

TEST_CASE("chance: a fleet is whole machines: what a little more time does not move, it does not") {
  // One at $10 a month each and $21 in all: two machines up to a tenth slower, then three.
  const std::vector<UncertainCost> options{option(20, "A", 0.05, 0), option(21, "B", 0.05, 0)};
  const auto whole = [](std::size_t i, double ln_factor) {
    return std::log(i == 1 ? 21.0 : ln_factor > 0.1 ? 30.0 : 20.0);
  };
  const auto chances = draw_chances(options, 40000, 6, whole);
  // P(the first is more than a tenth slower) = 1 - Phi(0.1 / 0.05) = 0.0228
  CHECK(chances.cheapest[1] == doctest::Approx(0.0228).epsilon(0.1));
  CHECK(chances.beats_first[1] == doctest::Approx(0.0228).epsilon(0.1));
  // Were machines divisible: P(ln 21 - ln 20 < 0.05 sqrt(2) z) = 1 - Phi(0.690) = 0.245
  CHECK(draw_chances(options, 40000, 6).cheapest[1] == doctest::Approx(0.245).epsilon(0.05));
}

// Two standard deviations are the step: P(z > 2) = P(z < -2) = 0.0228.
TEST_CASE("chance: a first fleet that may need another machine meets one that may need fewer") {
  const std::vector<UncertainCost> options{option(1, "A", 0.02, 0), option(3, "B", 0.02, 0)};
  const auto whole = [](std::size_t i, double ln_factor) {
    return i == 0 ? std::log(ln_factor > 0.04 ? 2.0 : 1.0) : std::log(ln_factor < 0 ? 1.5 : 3.0);
  };
  const auto chances = draw_chances(options, 40000, 8, whole);
  // The first costs two, the other half of the time one and a half.
  CHECK(chances.beats_first[1] == doctest::Approx(0.0228 / 2).epsilon(0.15));
  CHECK(chances.cheapest[1] == doctest::Approx(0.0228 / 2).epsilon(0.15));
}

TEST_CASE("chance: where no number of the first's machines may be enough, anybody's are cheaper") {
  const std::vector<UncertainCost> options{option(1, "A", 0.02, 0), option(50, "B", 0.02, 0)};
  const auto whole = [](std::size_t i, double ln_factor) {
    return i == 1             ? std::log(50.0)
           : ln_factor > 0.04 ? std::numeric_limits<double>::infinity()
                              : 0.0;
  };
  const auto chances = draw_chances(options, 40000, 9, whole);
  CHECK(chances.beats_first[1] == doctest::Approx(0.0228).epsilon(0.1));
  CHECK(chances.cheapest[0] == doctest::Approx(1 - 0.0228).epsilon(0.01));
}

TEST_CASE("chance: equal costs share a win") {
  const std::vector<UncertainCost> options{option(20, "A", 0.05, 0), option(20, "B", 0.05, 0)};
  const auto chances = draw_chances(options, 100, 7, [](std::size_t, double) { return 3.0; });
  CHECK(chances.cheapest[0] == 0.5);
  CHECK(chances.cheapest[1] == 0.5);
  CHECK(chances.beats_first[1] == 0.5);
}
