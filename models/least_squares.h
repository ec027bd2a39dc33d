// Robust nonlinear least squares: Levenberg-Marquardt on residuals already divided by their
// standard deviation, with Huber weights so that one disturbed run does not bend a law.
// Reference: Madsen, Nielsen & Tingleff, "Methods for non-linear least squares problems", DTU 2004,
// algorithm 3.16; Huber, "Robust estimation of a location parameter", Ann. Math. Stat. 35 (1964).
#pragma once

#include <functional>
#include <string>

#include <Eigen/Core>

namespace rightsize {

struct LeastSquaresOptions {
  int max_iterations = 200;
  double huber_k = 1.5;  // residuals beyond this many standard deviations are weighed down
  double gradient_tolerance = 1e-8;
  double step_tolerance = 1e-8;
  double cost_tolerance = 1e-9;   // relative; three small gains in a row end it
  double difference_step = 1e-4;  // forward differences in the (logarithmic) parameters
};

struct LeastSquaresSummary {
  bool converged = false;
  std::string reason = "minimise() was not called";
  int iterations = 0;
  double cost = -1;  // half the sum of squared weighted residuals
  Eigen::VectorXd parameters;
  Eigen::MatrixXd covariance;  // (J^T J)^-1 at the solution
};

// residuals(parameters, out): `out` has `residual_count` entries. Few outer iterations recompute
// the Huber weights. `robust_count` leading residuals are weighed; the rest (priors) are taken as
// given.
[[nodiscard]] LeastSquaresSummary minimise(
    const std::function<void(const Eigen::VectorXd&, Eigen::VectorXd&)>& residuals,
    const Eigen::VectorXd& start,
    Eigen::Index residual_count,
    Eigen::Index robust_count,
    const LeastSquaresOptions& options = {});

}  // namespace rightsize
