#include "models/laws/rate_blend.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace rightsize {
namespace {

constexpr double square(double sd) {
  return sd * sd;
}

// Variances of ln(rate) under which figures of left-out GPUs and networks are likely, given all
// others: by coordinate descent over 18 such folds with errors of Student's t (4 degrees of
// freedom), a search made once and not kept; those of launching and the noise were then set by hand
// to what leave-one-out without a framework bears (bench_gpu_rates). A pair's effect needs both to
// agree; those of the batch fade with the distance in ln(batch); those of launching count as far as
// both steps wait for launches: a framework's host time, linearised.
constexpr double of_gpu_direction = square(0.026);
constexpr double of_arch = square(0.073);
constexpr double of_arch_precision = square(0.092);
constexpr double of_chip = square(0.039);
constexpr double of_network_precision = square(0.042);
constexpr double of_network_gpu = square(0.030);
constexpr double of_family_direction = square(0.089);
constexpr double of_framework_precision = square(0.019);
constexpr double of_framework_network = square(0.033);
constexpr double of_framework_network_family = square(0.051);
constexpr double of_framework_gpu = square(0.052);
constexpr double of_framework_family = square(0.051);
constexpr double of_framework_family_precision = square(0.018);
constexpr double of_batch_stack = square(0.032);
constexpr double of_batch_gpu = square(0.038);
constexpr double of_batch_arch = square(0.081);
constexpr double of_batch_network = square(0.045);
constexpr double of_launch_stack = square(0.264);
constexpr double of_launch_framework = square(0.264);
constexpr double of_curve = square(0.034);
constexpr double noise = square(0.015);
constexpr double batch_reach = 1.0;

// A residual beyond this says more about that figure than about others: each counts as noise.
constexpr double plausible_residual = 0.25;

constexpr std::size_t most_neighbours = 96;

// Forward and inference; or with a backward pass.
bool same_direction(const BlendPoint& a, const BlendPoint& b) {
  return has_backward(a.phase) == has_backward(b.phase);
}

// What two figures share by their GPU; `near`: by how much their batches agree.
double of_hardware(const BlendPoint& a, const BlendPoint& b, double near) {
  const bool precision = a.precision == b.precision;
  double sum = 0;
  if (a.gpu == b.gpu) {
    sum += (same_direction(a, b) ? of_gpu_direction : 0) +
           (a.network == b.network ? of_network_gpu : 0) + near * of_batch_gpu;
  }
  if (a.arch == b.arch) {
    sum += of_arch + (precision ? of_arch_precision : 0) + near * of_batch_arch;
  }
  if (a.chip == b.chip) {
    sum += of_chip;
  }
  return sum;
}

}  // namespace

double blend_covariance(const BlendPoint& a, const BlendPoint& b) {
  const bool network = a.network == b.network;
  const bool family = a.network_family == b.network_family;
  const bool precision = a.precision == b.precision;
  const bool framework = a.framework == b.framework && a.framework >= 0;
  const double distance = (a.log_batch - b.log_batch) / batch_reach;
  // Curves over the batch have the same shape in the same direction only.
  const bool direction = same_direction(a, b);
  const double near = direction ? std::exp(-0.5 * distance * distance) : 0;
  const double launch = a.launch_share * b.launch_share;
  double sum = of_hardware(a, b, near);
  if (a.stack == b.stack) {
    sum += near * of_batch_stack + launch * of_launch_stack;
  }
  if (network) {
    sum += (precision ? of_network_precision : 0) + near * of_batch_network;
  }
  if (family && direction) {
    sum += of_family_direction;
  }
  if (a.framework_family == b.framework_family && a.framework_family >= 0) {
    sum += of_framework_family + (precision ? of_framework_family_precision : 0);
  }
  if (framework) {
    sum += (precision ? of_framework_precision : 0) + (network ? of_framework_network : 0) +
           (family ? of_framework_network_family : 0) + (a.gpu == b.gpu ? of_framework_gpu : 0) +
           launch * of_launch_framework;
  }
  if (a.gpu == b.gpu && network && precision && framework) {
    sum += near * of_curve;
  }
  return sum;
}

namespace {

// The figures that say most about the points together.
std::vector<const BlendFigure*> neighbours(std::span<const BlendPoint> points,
                                           std::span<const BlendFigure> figures) {
  std::vector<std::pair<double, const BlendFigure*>> ranked;
  ranked.reserve(figures.size());
  for (const auto& figure : figures) {
    if (figure.usable) {
      double covariance = 0;
      for (const auto& point : points) {
        covariance += blend_covariance(point, figure.at);
      }
      ranked.emplace_back(-covariance, &figure);
    }
  }
  const auto count = std::min(most_neighbours, ranked.size());
  const auto by_rank = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::stable_sort(ranked.begin(), ranked.end(), by_rank);
  std::vector<const BlendFigure*> nearest;
  for (std::size_t i = 0; i < count; ++i) {
    nearest.push_back(ranked[i].second);
  }
  return nearest;
}

double noise_of(const BlendFigure& figure, const BlendPoint& point) {
  const bool same_pair = figure.at.network == point.network && figure.at.gpu == point.gpu;
  const double beyond = std::abs(figure.log_residual) - plausible_residual;
  return noise + (same_pair || beyond < 0 ? 0 : square(beyond));
}

}  // namespace

std::vector<Blend> blend_at(std::span<const BlendPoint> points,
                            std::span<const BlendFigure> figures) {
  const auto nearest = neighbours(points, figures);
  const auto count = static_cast<Eigen::Index>(nearest.size());
  Eigen::MatrixXd covariance(count, count);
  Eigen::VectorXd residuals(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto& figure = *nearest[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j <= i; ++j) {
      covariance(i, j) = blend_covariance(figure.at, nearest[static_cast<std::size_t>(j)]->at);
    }
    covariance(i, i) += noise_of(figure, points.front());
    residuals[i] = figure.log_residual;
  }
  const Eigen::LLT<Eigen::MatrixXd, Eigen::Lower> factor(covariance);
  std::vector<Blend> blends;
  for (const auto& point : points) {
    BlendPoint same = point;
    same.framework = std::max(0, point.framework);  // the variance of an unknown one is in full
    same.framework_family = std::max(0, point.framework_family);
    const double variance = blend_covariance(same, same) + noise;
    Eigen::VectorXd toward(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      toward[i] = blend_covariance(point, nearest[static_cast<std::size_t>(i)]->at);
    }
    const Eigen::VectorXd weights = factor.solve(toward);
    const double left = std::max(noise, variance - weights.dot(toward));
    blends.push_back({weights.dot(residuals), std::sqrt(left)});
  }
  return blends;
}

}  // namespace rightsize
