#include "models/laws/rate_blend.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace rightsize {
namespace {

// Variances of ln(rate). A pair's effect needs both to agree.
constexpr double of_gpu = 0.10 * 0.10;
constexpr double of_gpu_precision = 0.06 * 0.06;
constexpr double of_gpu_direction = 0.05 * 0.05;
constexpr double of_arch = 0.06 * 0.06;
constexpr double of_arch_precision = 0.05 * 0.05;
constexpr double of_network = 0.08 * 0.08;
constexpr double of_network_direction = 0.06 * 0.06;
constexpr double of_network_precision = 0.07 * 0.07;
constexpr double of_network_gpu = 0.06 * 0.06;
constexpr double of_framework = 0.10 * 0.10;
constexpr double of_framework_precision = 0.06 * 0.06;
constexpr double of_framework_direction = 0.06 * 0.06;
constexpr double of_framework_network = 0.06 * 0.06;
constexpr double of_batch_direction = 0.05 * 0.05;  // from here on: at near batches
constexpr double of_batch_gpu = 0.06 * 0.06;
constexpr double of_batch_network = 0.06 * 0.06;
constexpr double of_batch_framework = 0.08 * 0.08;
constexpr double of_curve = 0.08 * 0.08;
constexpr double noise = 0.025 * 0.025;
constexpr double batch_reach = 1.4;  // in ln(batch): a factor of four

constexpr std::size_t most_neighbours = 96;

// Forward and inference; or with a backward pass.
bool same_direction(const BlendPoint& a, const BlendPoint& b) {
  return has_backward(a.phase) == has_backward(b.phase);
}

}  // namespace

double blend_covariance(const BlendPoint& a, const BlendPoint& b) {
  const bool gpu = a.gpu == b.gpu;
  const bool network = a.network == b.network;
  const bool precision = a.precision == b.precision;
  const bool direction = same_direction(a, b);
  const bool framework = a.framework == b.framework && a.framework >= 0;
  const double distance = (a.log_batch - b.log_batch) / batch_reach;
  const double near = std::exp(-0.5 * distance * distance);
  double sum = direction ? near * of_batch_direction : 0;
  if (gpu) {
    sum += of_gpu + (precision ? of_gpu_precision : 0) +
           (direction ? of_gpu_direction + near * of_batch_gpu : 0) +
           (network ? of_network_gpu : 0);
  }
  if (a.arch == b.arch) {
    sum += of_arch + (precision ? of_arch_precision : 0);
  }
  if (network) {
    sum += of_network + (precision ? of_network_precision : 0) +
           (direction ? of_network_direction + near * of_batch_network : 0);
  }
  if (framework) {
    sum += of_framework + (precision ? of_framework_precision : 0) +
           (network ? of_framework_network : 0) +
           (direction ? of_framework_direction + near * of_batch_framework : 0);
  }
  if (gpu && network && precision && direction && framework) {
    sum += near * of_curve;
  }
  return sum;
}

namespace {

// The figures that say most about the point, in their own order.
std::vector<const BlendFigure*> neighbours(const BlendPoint& point,
                                           std::span<const BlendFigure> figures) {
  std::vector<std::pair<double, const BlendFigure*>> ranked;
  ranked.reserve(figures.size());
  for (const auto& figure : figures) {
    if (figure.usable) {
      ranked.emplace_back(-blend_covariance(point, figure.at), &figure);
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

}  // namespace

Blend blend_at(const BlendPoint& point, std::span<const BlendFigure> figures) {
  const auto nearest = neighbours(point, figures);
  const auto count = static_cast<Eigen::Index>(nearest.size());
  BlendPoint same = point;
  same.framework = std::max(0, point.framework);  // the variance of an unknown one is in full
  const double variance = blend_covariance(same, same) + noise;
  if (count == 0) {
    return {0, std::sqrt(variance)};
  }
  Eigen::MatrixXd covariance(count, count);
  Eigen::VectorXd toward(count);
  Eigen::VectorXd residuals(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto& figure = *nearest[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j <= i; ++j) {
      covariance(i, j) = blend_covariance(figure.at, nearest[static_cast<std::size_t>(j)]->at);
    }
    covariance(i, i) += noise;
    toward[i] = blend_covariance(point, figure.at);
    residuals[i] = figure.log_residual;
  }
  const Eigen::LLT<Eigen::MatrixXd, Eigen::Lower> factor(covariance);
  const Eigen::VectorXd weights = factor.solve(toward);
  return {weights.dot(residuals), std::sqrt(std::max(noise, variance - weights.dot(toward)))};
}

}  // namespace rightsize
