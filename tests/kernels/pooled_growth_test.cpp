#include "kernels/pooled_growth.h"

#include <numbers>

#include <doctest/doctest.h>

#include "kernels/network.h"
#include "support/approx.h"

using namespace rightsize;

// Of two independent normals E[min^2; both > 0] = 1/4 - 1/(2 pi), and what the maximum's positive
// part has is both squares less that.
TEST_CASE(
    "pooled growth: one value grows by nothing, two as in closed form, equal ones not at all") {
  CHECK(pooled_growth(1, 0.5) == 1);
  CHECK(pooled_growth(2, 0) == test::approx(2 * (0.75 + 0.5 / std::numbers::pi)).epsilon(1e-3));
  CHECK(pooled_growth(9, 0.9999) == test::approx(1).epsilon(0.05));
  CHECK(pooled_growth(9, 0.5) > pooled_growth(4, 0.5));
}

TEST_CASE("pooled growth: of the pools behind the last weights, whatever lies between") {
  const auto vgg = make_network("vgg16");
  const auto layer = [&](const char* name) {
    for (const auto& one : vgg.layers) {
      if (one.name == name) {
        return pooled_growth(vgg, one);
      }
    }
    return 0.0;
  };
  const double two_by_two = pooled_growth(4, 2.0 / 3);
  CHECK(layer("conv1_2") == 1);
  CHECK(layer("conv2_1") == test::approx(two_by_two));
  CHECK(layer("fc6") == test::approx(two_by_two));
  CHECK(layer("fc7") == 1);
}
