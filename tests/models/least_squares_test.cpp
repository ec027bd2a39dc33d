#include "models/least_squares.h"

#include <cmath>

#include <doctest/doctest.h>

#include "support/approx.h"

using namespace rightsize;

TEST_CASE("least squares: recovers the parameters of an exponential") {
  // y = 3 exp(-0.7 x) at ten points, exact.
  const auto residuals = [](const Eigen::VectorXd& p, Eigen::VectorXd& out) {
    for (Eigen::Index i = 0; i < 10; ++i) {
      const double x = 0.3 * static_cast<double>(i);
      out[i] = p[0] * std::exp(p[1] * x) - 3 * std::exp(-0.7 * x);
    }
  };
  const auto summary = minimise(residuals, Eigen::Vector2d(1, 0), 10, 10);
  CHECK(summary.converged);
  CHECK(summary.parameters[0] == test::approx(3).epsilon(1e-5));
  CHECK(summary.parameters[1] == test::approx(-0.7).epsilon(1e-5));
}

TEST_CASE("least squares: one wild observation hardly moves a robust mean") {
  const auto residuals = [](const Eigen::VectorXd& p, Eigen::VectorXd& out) {
    for (Eigen::Index i = 0; i < 9; ++i) {
      out[i] = p[0] - (10 + 0.1 * static_cast<double>(i - 4));
    }
    out[9] = p[0] - 1000;
  };
  const auto summary = minimise(residuals, Eigen::VectorXd::Zero(1), 10, 10);
  CHECK(summary.parameters[0] == test::approx(10).epsilon(0.05));
}

TEST_CASE("least squares: the covariance of a mean is the variance over the count") {
  const auto residuals = [](const Eigen::VectorXd& p, Eigen::VectorXd& out) {
    for (Eigen::Index i = 0; i < 16; ++i) {
      out[i] = p[0] - (i % 2 == 0 ? 0.5 : -0.5);
    }
  };
  const auto summary = minimise(residuals, Eigen::VectorXd::Ones(1), 16, 16);
  CHECK(summary.covariance(0, 0) == test::approx(1.0 / 16).epsilon(1e-3));
}
