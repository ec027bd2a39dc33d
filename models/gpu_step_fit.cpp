#include "models/gpu_step_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "models/laws/gpu_step_constants.h"
#include "models/least_squares.h"

namespace rightsize {
namespace {

constexpr double figure_log_sd = 0.08;
// Small, so that the law explains what it can itself: with 0.2 figures of left-out GPUs are 41 %
// off at P90 instead of 38 %.
constexpr double effect_log_sd = 0.07;

struct Point {
  const PublishedRate* figure = nullptr;
  const GpuSpec* gpu = nullptr;
  const GpuWork* work = nullptr;
  double weight = 1;
  Eigen::Index framework = 0;  // parameters of the effects
  Eigen::Index network = 0;
};

std::vector<Point> points_of(std::span<const PublishedRate> figures,
                             std::span<const GpuSpec> gpus,
                             const GpuWorkCache& works,
                             const LeftOut& left_out) {
  std::vector<Point> points;
  for (const auto& figure : figures) {
    const auto gpu = std::find_if(
        gpus.begin(), gpus.end(), [&](const GpuSpec& spec) { return spec.name == figure.gpu; });
    const auto* work = works.find(figure.network, figure.sequence, figure.phase);
    const bool left = figure.gpu == left_out.gpu || figure.network == left_out.network;
    if (gpu != gpus.end() && work != nullptr && !left) {
      points.push_back({&figure, &*gpu, work});
    }
  }
  return points;
}

// Weights by curve, and numbers for the effects behind the law's constants.
Eigen::Index number_effects(std::vector<Point>& points) {
  std::map<std::tuple<std::string, std::string, std::string, Phase, Precision>, int> curves;
  std::map<std::string, Eigen::Index> frameworks;
  std::map<std::string, Eigen::Index> networks;
  auto next = static_cast<Eigen::Index>(step_constants().size());
  const auto numbered = [&](auto& known, const std::string& name) {
    const auto [entry, added] = known.emplace(name, next);
    next += added ? 1 : 0;
    return entry->second;
  };
  const auto curve_of = [](const PublishedRate& f) {
    return std::tuple(f.network, f.gpu, f.framework, f.phase, f.precision);
  };
  for (auto& point : points) {
    ++curves[curve_of(*point.figure)];
    point.framework = numbered(frameworks, point.figure->framework);
    point.network = numbered(networks, point.figure->network);
  }
  for (auto& point : points) {
    point.weight = 1 / std::sqrt(static_cast<double>(curves[curve_of(*point.figure)]));
  }
  return next;
}

double log_residual(const Point& point, const GpuStepLaw& law) {
  const auto& figure = *point.figure;
  const double seconds = law.seconds(
      *point.work, *point.gpu, {figure.precision, figure.stack, figure.framework, figure.batch});
  return std::log(figure.batch / seconds / figure.items_per_s);
}

// The law's constants, then the effects from zero.
Eigen::VectorXd start_of(std::span<const double> start, Eigen::Index size) {
  const auto constants = step_constants();
  Eigen::VectorXd first = Eigen::VectorXd::Zero(size);
  for (std::size_t i = 0; i < constants.size(); ++i) {
    first[static_cast<Eigen::Index>(i)] = start.empty() ? constants[i].prior : start[i];
  }
  return first;
}

double log_rms_of(std::span<const Point> points,
                  const GpuStepLaw& law,
                  const Eigen::VectorXd& parameters) {
  double sum = 0;
  for (const auto& point : points) {
    const double error =
        log_residual(point, law) + parameters[point.framework] + parameters[point.network];
    sum += error * error;
  }
  return std::sqrt(sum / static_cast<double>(points.size()));
}

}  // namespace

GpuStepFit fit_gpu_step(std::span<const PublishedRate> figures,
                        std::span<const GpuSpec> gpus,
                        const GpuWorkCache& works,
                        const LeftOut& left_out,
                        std::span<const double> start) {
  auto points = points_of(figures, gpus, works, left_out);
  const auto constants = step_constants();
  const auto law_size = static_cast<Eigen::Index>(constants.size());
  const auto size = number_effects(points);
  const auto count = static_cast<Eigen::Index>(points.size());
  const auto law_of = [&](const Eigen::VectorXd& parameters) {
    return GpuStepLaw(std::vector<double>(parameters.data(), parameters.data() + law_size));
  };
  Eigen::VectorXd by_law(count);  // residuals of the law, kept while only effects change
  Eigen::VectorXd constants_then;
  const auto residuals = [&](const Eigen::VectorXd& parameters, Eigen::VectorXd& out) {
    if (constants_then.size() == 0 || parameters.head(law_size) != constants_then) {
      const auto law = law_of(parameters);
      for (Eigen::Index i = 0; i < count; ++i) {
        by_law[i] = log_residual(points[static_cast<std::size_t>(i)], law);
      }
      constants_then = parameters.head(law_size);
    }
    for (Eigen::Index i = 0; i < count; ++i) {
      const auto& point = points[static_cast<std::size_t>(i)];
      const double effects = parameters[point.framework] + parameters[point.network];
      out[i] = (by_law[i] + effects) * point.weight / figure_log_sd;
    }
    for (Eigen::Index i = 0; i < size; ++i) {
      const auto* constant = i < law_size ? &constants[static_cast<std::size_t>(i)] : nullptr;
      out[count + i] = constant != nullptr ? (parameters[i] - constant->prior) / constant->prior_sd
                                           : parameters[i] / effect_log_sd;
    }
  };
  LeastSquaresOptions options;
  options.max_iterations = 60;
  options.cost_tolerance = 1e-5;
  const auto summary = minimise(residuals, start_of(start, size), count + size, count, options);
  const auto law = law_of(summary.parameters);
  return {{law.values().begin(), law.values().end()},
          summary.converged,
          log_rms_of(points, law, summary.parameters)};
}

}  // namespace rightsize
