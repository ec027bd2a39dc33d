#include "models/least_squares.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

namespace rightsize {
namespace {

using Residuals = std::function<void(const Eigen::VectorXd&, Eigen::VectorXd&)>;

struct Problem {
  const Residuals& residuals;
  Eigen::Index residual_count;
  Eigen::Index robust_count;
  const LeastSquaresOptions& options;
};

Eigen::VectorXd evaluate(const Problem& problem, const Eigen::VectorXd& parameters) {
  Eigen::VectorXd out(problem.residual_count);
  problem.residuals(parameters, out);
  return out;
}

Eigen::MatrixXd jacobian(const Problem& problem,
                         const Eigen::VectorXd& parameters,
                         const Eigen::VectorXd& at) {
  Eigen::MatrixXd result(problem.residual_count, parameters.size());
  for (Eigen::Index i = 0; i < parameters.size(); ++i) {
    Eigen::VectorXd moved = parameters;
    moved[i] += problem.options.difference_step;
    result.col(i) = (evaluate(problem, moved) - at) / problem.options.difference_step;
  }
  return result;
}

// Square roots of the Huber weights: 1 inside k standard deviations, sqrt(k / |r|) outside.
Eigen::VectorXd huber_weights(const Problem& problem, const Eigen::VectorXd& residuals) {
  Eigen::VectorXd weights = Eigen::VectorXd::Ones(residuals.size());
  for (Eigen::Index i = 0; i < problem.robust_count; ++i) {
    const double size = std::abs(residuals[i]);
    if (size > problem.options.huber_k) {
      weights[i] = std::sqrt(problem.options.huber_k / size);
    }
  }
  return weights;
}

double huber_cost(const Problem& problem, const Eigen::VectorXd& residuals) {
  double cost = 0;
  for (Eigen::Index i = 0; i < residuals.size(); ++i) {
    const double size = std::abs(residuals[i]);
    const double k = problem.options.huber_k;
    cost += i < problem.robust_count && size > k ? k * (size - 0.5 * k) : 0.5 * size * size;
  }
  return cost;
}

}  // namespace

LeastSquaresSummary minimise(const Residuals& residuals,
                             const Eigen::VectorXd& start,
                             Eigen::Index residual_count,
                             Eigen::Index robust_count,
                             const LeastSquaresOptions& options) {
  const Problem problem{residuals, residual_count, robust_count, options};
  LeastSquaresSummary summary;
  summary.reason = "no convergence within the allowed iterations";
  Eigen::VectorXd parameters = start;
  Eigen::VectorXd current = evaluate(problem, parameters);
  double cost = huber_cost(problem, current);
  double damping = 1e-3;
  int stalled = 0;
  Eigen::MatrixXd normal;
  for (summary.iterations = 0; summary.iterations < options.max_iterations; ++summary.iterations) {
    const Eigen::VectorXd weights = huber_weights(problem, current);
    const Eigen::MatrixXd weighted = weights.asDiagonal() * jacobian(problem, parameters, current);
    normal = weighted.transpose() * weighted;
    const Eigen::VectorXd gradient = weighted.transpose() * (weights.asDiagonal() * current);
    if (gradient.lpNorm<Eigen::Infinity>() < options.gradient_tolerance) {
      summary.converged = true;
      summary.reason = "the gradient vanished";
      break;
    }
    bool accepted = false;
    const double cost_before = cost;
    Eigen::VectorXd step;
    for (int attempt = 0; attempt < 12 && !accepted; ++attempt) {
      Eigen::MatrixXd damped = normal;
      damped.diagonal() += damping * normal.diagonal().cwiseMax(1e-12);
      step = damped.ldlt().solve(-gradient);
      const Eigen::VectorXd candidate = evaluate(problem, parameters + step);
      const double candidate_cost = huber_cost(problem, candidate);
      if (std::isfinite(candidate_cost) && candidate_cost < cost) {
        parameters += step;
        current = candidate;
        cost = candidate_cost;
        damping = std::max(1e-9, damping / 5);
        accepted = true;
      } else {
        damping *= 4;
      }
    }
    stalled = cost_before - cost <= options.cost_tolerance * cost_before ? stalled + 1 : 0;
    if (stalled >= 3) {
      summary.converged = true;
      summary.reason = "the cost falls no further";
      break;
    }
    if (!accepted || step.norm() < options.step_tolerance) {
      summary.converged = true;
      summary.reason = accepted ? "the step vanished" : "no step lowers the cost any further";
      break;
    }
  }
  const Eigen::VectorXd weights = huber_weights(problem, current);
  const Eigen::MatrixXd weighted = weights.asDiagonal() * jacobian(problem, parameters, current);
  normal = weighted.transpose() * weighted;
  normal.diagonal().array() += 1e-12;
  summary.covariance =
      normal.ldlt().solve(Eigen::MatrixXd::Identity(parameters.size(), parameters.size()));
  summary.parameters = parameters;
  summary.cost = cost;
  return summary;
}

}  // namespace rightsize
