#include "models/fitted_parameters.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "models/predict.h"
#include "models/priors.h"

namespace rightsize {
namespace {

// A robust standard deviation; `floor` of fewer than a handful.
double spread_of(std::vector<double> sizes, double floor) {
  constexpr std::size_t handful = 6;
  return sizes.size() < handful ? floor : std::max(floor, 1.4826 * median_of(std::move(sizes)));
}

}  // namespace

LeastSquaresSummary fit_parameters(Model& model, std::span<const Observation* const> observations) {
  const auto parameter_count = static_cast<Eigen::Index>(model.parameters.size());
  const auto run_count = static_cast<Eigen::Index>(observations.size());
  Eigen::VectorXd start(parameter_count);
  for (Eigen::Index i = 0; i < parameter_count; ++i) {
    start[i] = std::log(model.parameters[static_cast<std::size_t>(i)].prior);
  }
  const auto residuals = [&](const Eigen::VectorXd& logs, Eigen::VectorXd& out) {
    const Eigen::VectorXd values = logs.array().exp();
    for (Eigen::Index i = 0; i < run_count; ++i) {
      const auto& seen = *observations[static_cast<std::size_t>(i)];
      const auto laws = laws_of(
          model, seen.setting.workload, {values.data(), static_cast<std::size_t>(values.size())});
      out[i] = (log_predicted(laws, seen) - seen.log_measured) / seen.sd;
    }
    for (Eigen::Index i = 0; i < parameter_count; ++i) {
      const auto& parameter = model.parameters[static_cast<std::size_t>(i)];
      out[run_count + i] = (logs[i] - std::log(parameter.prior)) / parameter.prior_sd;
    }
  };
  auto summary = minimise(residuals, start, run_count + parameter_count, run_count);
  for (Eigen::Index i = 0; i < parameter_count; ++i) {
    auto& parameter = model.parameters[static_cast<std::size_t>(i)];
    parameter.value = std::exp(summary.parameters[i]);
    parameter.fitted_sd = std::sqrt(summary.covariance(i, i));
  }
  model.covariance = Covariance(model.parameters.size());
  for (Eigen::Index row = 0; row < parameter_count; ++row) {
    for (Eigen::Index column = 0; column < parameter_count; ++column) {
      model.covariance(static_cast<std::size_t>(row), static_cast<std::size_t>(column)) =
          summary.covariance(row, column);
    }
  }
  return summary;
}

void set_leftover_noise(Model& model,
                        std::span<const Observation* const> observations,
                        double floor) {
  constexpr double most = 0.5;
  std::vector<double> of_all;
  std::vector<double> of_cpus;
  std::vector<double> of_others;
  for (const auto* seen : observations) {
    if (seen->miss >= 0) {
      continue;
    }
    const auto laws = laws_of(model, seen->setting.workload);
    const auto bounds = bounds_of(laws, seen->setting);
    const double predicted = composed_items_per_s(bounds, laws.sharpness);
    const double size = std::abs(seen->log_measured - std::log(predicted));
    of_all.push_back(size);
    (cpu_share(laws, seen->setting, bounds, predicted) > most ? of_cpus : of_others)
        .push_back(size);
  }
  const double all = spread_of(of_all, floor);
  model.noise = spread_of(std::move(of_others), all);
  const double cpus = spread_of(std::move(of_cpus), all);
  model.cpu_noise = std::sqrt(std::max(0.0, cpus * cpus - model.noise * model.noise));
}

}  // namespace rightsize
