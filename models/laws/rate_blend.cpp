#include "models/laws/rate_blend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace rightsize {
namespace {

constexpr double batch_reach = 1.0;

// A residual beyond this says more about that figure than about others: each counts as noise.
constexpr double plausible_residual = 0.25;

constexpr std::size_t most_neighbours = 96;

// Forward and inference; or with a backward pass.
bool same_direction(const BlendPoint& a, const BlendPoint& b) {
  return has_backward(a.phase) == has_backward(b.phase);
}

// What two figures share by their GPU; `near`: by how much their batches agree.
double of_hardware(const BlendPoint& a, const BlendPoint& b, const BlendEffects& of, double near) {
  const bool precision = a.precision == b.precision;
  double sum = 0;
  if (a.gpu == b.gpu) {
    sum += (same_direction(a, b) ? of.gpu_direction : 0) +
           (a.network == b.network ? of.network_gpu : 0) + near * of.batch_gpu;
  }
  if (a.arch == b.arch) {
    sum += of.arch + (precision ? of.arch_precision : 0) + near * of.batch_arch;
  }
  if (a.chip == b.chip) {
    sum += of.chip;
  }
  return sum;
}

}  // namespace

std::span<const NamedEffect> named_blend_effects() {
  static constexpr std::array effects{
      NamedEffect{"gpu direction", &BlendEffects::gpu_direction},
      NamedEffect{"arch", &BlendEffects::arch},
      NamedEffect{"arch precision", &BlendEffects::arch_precision},
      NamedEffect{"chip", &BlendEffects::chip},
      NamedEffect{"network precision", &BlendEffects::network_precision},
      NamedEffect{"network gpu", &BlendEffects::network_gpu},
      NamedEffect{"family direction", &BlendEffects::family_direction},
      NamedEffect{"framework precision", &BlendEffects::framework_precision},
      NamedEffect{"framework network", &BlendEffects::framework_network},
      NamedEffect{"framework network family", &BlendEffects::framework_network_family},
      NamedEffect{"framework gpu", &BlendEffects::framework_gpu},
      NamedEffect{"framework family", &BlendEffects::framework_family},
      NamedEffect{"framework family precision", &BlendEffects::framework_family_precision},
      NamedEffect{"batch stack", &BlendEffects::batch_stack},
      NamedEffect{"batch gpu", &BlendEffects::batch_gpu},
      NamedEffect{"batch arch", &BlendEffects::batch_arch},
      NamedEffect{"batch network", &BlendEffects::batch_network},
      NamedEffect{"launch stack", &BlendEffects::launch_stack},
      NamedEffect{"launch framework", &BlendEffects::launch_framework},
      NamedEffect{"curve", &BlendEffects::curve},
      NamedEffect{"noise", &BlendEffects::noise},
  };
  return effects;
}

namespace {

// What two points share whatever software ran them.
double of_work(const BlendPoint& a, const BlendPoint& b, const BlendEffects& of, double near) {
  double sum = of_hardware(a, b, of, near);
  if (a.stack == b.stack) {
    sum += near * of.batch_stack;
  }
  if (a.network == b.network) {
    sum += (a.precision == b.precision ? of.network_precision : 0) + near * of.batch_network;
  }
  if (a.network_family == b.network_family && same_direction(a, b)) {
    sum += of.family_direction;
  }
  return sum;
}

// What they share by their software, and by waiting for launches.
double of_software(const BlendPoint& a, const BlendPoint& b, const BlendEffects& of, double near) {
  const bool network = a.network == b.network;
  const bool precision = a.precision == b.precision;
  const double launch = a.launch_share * b.launch_share;
  double sum = a.stack == b.stack ? launch * of.launch_stack : 0;
  if (a.framework_family == b.framework_family && a.framework_family >= 0) {
    sum += of.framework_family + (precision ? of.framework_family_precision : 0);
  }
  if (a.framework == b.framework && a.framework >= 0) {
    const bool family = a.network_family == b.network_family;
    sum += (precision ? of.framework_precision : 0) + (network ? of.framework_network : 0) +
           (family ? of.framework_network_family : 0) + (a.gpu == b.gpu ? of.framework_gpu : 0) +
           launch * of.launch_framework;
    if (a.gpu == b.gpu && network && precision) {
      sum += near * of.curve;
    }
  }
  return sum;
}

// How much their batches agree. Curves over the batch have the same shape in the same direction
// only.
double nearness(const BlendPoint& a, const BlendPoint& b) {
  const double distance = (a.log_batch - b.log_batch) / batch_reach;
  return same_direction(a, b) ? std::exp(-0.5 * distance * distance) : 0;
}

}  // namespace

double blend_covariance(const BlendPoint& a, const BlendPoint& b, const BlendEffects& of) {
  const double near = nearness(a, b);
  return of_work(a, b, of, near) + of_software(a, b, of, near);
}

namespace {

// The figures that say most about the points together; of equals those that stand first. What the
// points differ in is asked of each of them, the rest once: all figures are asked for every GPU.
std::vector<const BlendFigure*> neighbours(std::span<const BlendPoint> points,
                                           std::span<const BlendFigure> figures,
                                           const BlendEffects& effects) {
  std::vector<std::pair<double, const BlendFigure*>> ranked;
  ranked.reserve(figures.size());
  for (const auto& figure : figures) {
    if (figure.usable) {
      const double near = nearness(points.front(), figure.at);
      double covariance =
          static_cast<double>(points.size()) * of_work(points.front(), figure.at, effects, near);
      for (const auto& point : points) {
        covariance += of_software(point, figure.at, effects, near);
      }
      ranked.emplace_back(-covariance, &figure);
    }
  }
  const auto count = std::min(most_neighbours, ranked.size());
  const auto end = ranked.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(ranked.begin(), end, ranked.end());
  std::vector<const BlendFigure*> nearest;
  nearest.reserve(count);
  std::transform(ranked.begin(), end, std::back_inserter(nearest), [](const auto& each) {
    return each.second;
  });
  return nearest;
}

double noise_of(const BlendFigure& figure, const BlendPoint& point, double noise) {
  const bool same_pair = figure.at.network == point.network && figure.at.gpu == point.gpu;
  const double beyond = std::abs(figure.log_residual) - plausible_residual;
  return noise + (same_pair || beyond < 0 ? 0 : variance_of(beyond));
}

}  // namespace

std::vector<Blend> blend_at(std::span<const BlendPoint> points,
                            std::span<const BlendFigure> figures,
                            const BlendEffects& effects) {
  const auto nearest = neighbours(points, figures, effects);
  const auto count = static_cast<Eigen::Index>(nearest.size());
  Eigen::MatrixXd covariance(count, count);
  Eigen::VectorXd residuals(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto& figure = *nearest[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j <= i; ++j) {
      covariance(i, j) =
          blend_covariance(figure.at, nearest[static_cast<std::size_t>(j)]->at, effects);
    }
    covariance(i, i) += noise_of(figure, points.front(), effects.noise);
    residuals[i] = figure.log_residual;
  }
  const Eigen::LLT<Eigen::MatrixXd, Eigen::Lower> factor(covariance);
  std::vector<Blend> blends;
  for (const auto& point : points) {
    BlendPoint same = point;
    same.framework = std::max(0, point.framework);  // the variance of an unknown one is in full
    same.framework_family = std::max(0, point.framework_family);
    const double variance = blend_covariance(same, same, effects) + effects.noise;
    Eigen::VectorXd toward(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      toward[i] = blend_covariance(point, nearest[static_cast<std::size_t>(i)]->at, effects);
    }
    const Eigen::VectorXd weights = factor.solve(toward);
    const double left = std::max(effects.noise, variance - weights.dot(toward));
    blends.push_back({weights.dot(residuals), std::sqrt(left)});
  }
  return blends;
}

}  // namespace rightsize
