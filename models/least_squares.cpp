#include "models/least_squares.h"

#include <algorithm>
#include <cmath>
#include <optional>

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

// Where the descent stands: the parameters, their residuals and what they cost.
class Descent {
 public:
  Descent(const Problem& problem, const Eigen::VectorXd& start)
      : problem_(problem),
        parameters_(start),
        residuals_(evaluate(problem, start)),
        cost_(huber_cost(problem, residuals_)) {}

  // The Jacobian's rows and the residuals, both under their Huber weights.
  struct Linear {
    Eigen::MatrixXd jacobian;
    Eigen::VectorXd residuals;
  };

  [[nodiscard]] Linear linearised() const {
    const Eigen::VectorXd weights = huber_weights(problem_, residuals_);
    return {weights.asDiagonal() * jacobian(problem_, parameters_, residuals_),
            weights.asDiagonal() * residuals_};
  }

  // Takes the longest of ever more damped steps that lowers the cost. Returns the length of that
  // step; nullopt where none does.
  std::optional<double> advance(const Eigen::MatrixXd& normal, const Eigen::VectorXd& gradient) {
    constexpr int attempts = 12;
    for (int attempt = 0; attempt < attempts; ++attempt) {
      Eigen::MatrixXd damped = normal;
      damped.diagonal() += damping_ * normal.diagonal().cwiseMax(1e-12);
      const Eigen::VectorXd step = damped.ldlt().solve(-gradient);
      const Eigen::VectorXd moved = evaluate(problem_, parameters_ + step);
      const double cost = huber_cost(problem_, moved);
      if (std::isfinite(cost) && cost < cost_) {
        parameters_ += step;
        residuals_ = moved;
        cost_ = cost;
        damping_ = std::max(1e-9, damping_ / 5);
        return step.norm();
      }
      damping_ *= 4;
    }
    return std::nullopt;
  }

  [[nodiscard]] const Eigen::VectorXd& parameters() const { return parameters_; }
  [[nodiscard]] double cost() const { return cost_; }

 private:
  const Problem& problem_;
  Eigen::VectorXd parameters_;
  Eigen::VectorXd residuals_;
  double cost_;
  double damping_ = 1e-3;
};

// Goes down until a reason to stop; empty where the iterations ran out.
std::string descend(Descent& descent, const LeastSquaresOptions& options, int& iterations) {
  constexpr int most_stalled = 3;
  int stalled = 0;
  for (iterations = 0; iterations < options.max_iterations; ++iterations) {
    const auto linear = descent.linearised();
    const Eigen::VectorXd gradient = linear.jacobian.transpose() * linear.residuals;
    if (gradient.lpNorm<Eigen::Infinity>() < options.gradient_tolerance) {
      return "the gradient vanished";
    }
    const double before = descent.cost();
    const auto step = descent.advance(linear.jacobian.transpose() * linear.jacobian, gradient);
    stalled = before - descent.cost() <= options.cost_tolerance * before ? stalled + 1 : 0;
    if (stalled >= most_stalled) {
      return "the cost falls no further";
    }
    if (!step) {
      return "no step lowers the cost any further";
    }
    if (*step < options.step_tolerance) {
      return "the step vanished";
    }
  }
  return {};
}

Eigen::MatrixXd inverse_of_normal(const Eigen::MatrixXd& jacobian) {
  Eigen::MatrixXd normal = jacobian.transpose() * jacobian;
  normal.diagonal().array() += 1e-12;
  return normal.ldlt().solve(Eigen::MatrixXd::Identity(normal.rows(), normal.cols()));
}

}  // namespace

LeastSquaresSummary minimise(const Residuals& residuals,
                             const Eigen::VectorXd& start,
                             Eigen::Index residual_count,
                             Eigen::Index robust_count,
                             const LeastSquaresOptions& options) {
  const Problem problem{residuals, residual_count, robust_count, options};
  Descent descent(problem, start);
  LeastSquaresSummary summary;
  summary.reason = descend(descent, options, summary.iterations);
  summary.converged = !summary.reason.empty();
  if (!summary.converged) {
    summary.reason = "no convergence within the allowed iterations";
  }
  summary.covariance = inverse_of_normal(descent.linearised().jacobian);
  summary.parameters = descent.parameters();
  summary.cost = descent.cost();
  return summary;
}

}  // namespace rightsize
