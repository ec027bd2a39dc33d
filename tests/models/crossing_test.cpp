// Where rising functions pass zero, against roots known in closed form.
#include "models/crossing.h"

#include <cmath>

#include <doctest/doctest.h>

#include "support/approx.h"

using namespace rightsize;

TEST_CASE("crossing: of smooth functions within the precision, never beyond it") {
  for (const double root : {0.01, 0.3, 0.7183, 0.999}) {
    CAPTURE(root);
    int looks = 0;
    const auto growth = [&](double x) {
      ++looks;
      return std::exp(3 * x) - std::exp(3 * root);
    };
    const double found = last_not_above(growth, 0, 1, 1e-5);
    CHECK(found <= root);
    CHECK(found >= root - 1e-5);
    CHECK(looks < 17);  // by halving
  }
}

TEST_CASE("crossing: of steps, and of flat parts before one") {
  const auto step = [](double x) { return x > 0.625 ? 3.0 : -9.0; };
  CHECK(last_not_above(step, 0, 1, 1e-5) == test::approx(0.625).epsilon(2e-5));
  const auto knee = [](double x) { return x < 0.9 ? -9.0 : std::log((x - 0.9) * 100 + 1e-4); };
  const double found = last_not_above(knee, 0, 1, 1e-6);  // ln(1) at 0.9 + (1 - 1e-4) / 100
  CHECK(found == test::approx(0.909999).epsilon(2e-6));
}

TEST_CASE("crossing: without one it is the end on the right side") {
  CHECK(last_not_above([](double x) { return x - 2; }, 0, 1, 1e-5) == 1);
  CHECK(last_not_above([](double x) { return x + 1; }, 0, 1, 1e-5) == 0);
}
