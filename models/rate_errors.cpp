#include "models/rate_errors.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "models/laws/normal_quantile.h"

namespace rightsize {
namespace {

double square(double value) {
  return value * value;
}

// The value at `share` of the order, ranks rounded up.
double ranked(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

}  // namespace

RateErrors errors_of(std::span<const RateCheck> checks) {
  RateErrors errors;
  errors.figures = checks.size();
  if (checks.empty()) {
    return errors;
  }
  std::vector<double> sizes;
  std::vector<double> logs;
  for (const auto& check : checks) {
    sizes.push_back(std::abs(std::expm1(check.log_error)));
    logs.push_back(check.log_error);
    errors.coverage += (check.inside ? 1.0 : 0.0) / static_cast<double>(checks.size());
  }
  errors.median_error = ranked(sizes, 0.5);
  errors.p90_error = ranked(sizes, 0.9);
  errors.bias = ranked(logs, 0.5);
  return errors;
}

double conformal_factor(std::span<const RateCheck> checks) {
  if (checks.empty()) {
    return 1;
  }
  std::map<std::string_view, double> figures_of;  // by publisher
  for (const auto& check : checks) {
    figures_of[check.figure.framework] += 1;
  }
  std::vector<std::pair<double, double>> scores;  // and weights
  double weights = 0;
  for (const auto& check : checks) {
    // Solves |error| = normal_90 hypot(factor x own, apart): what publishers differ in is not
    // scaled.
    const double apart = check.predicted.publisher_log_sd;
    const double needed = check.log_error / normal_90;
    const double own = std::sqrt(std::max(1e-12, square(check.predicted.log_sd) - square(apart)));
    const double alike = 1 + (figures_of[check.figure.framework] - 1) * publisher_alikeness;
    scores.emplace_back(std::sqrt(std::max(0.0, square(needed) - square(apart))) / own, 1 / alike);
    weights += 1 / alike;
  }
  std::sort(scores.begin(), scores.end());
  // The figure that is asked for is one more: a publisher nobody has seen counts whole.
  constexpr double rounding = 1e-9;
  const double wanted = std::min(weights, 0.9 * (weights + 1)) * (1 - rounding);
  double sum = 0;
  for (const auto& [score, weight] : scores) {
    sum += weight;
    if (sum >= wanted) {
      return score;
    }
  }
  return scores.back().first;
}

}  // namespace rightsize
