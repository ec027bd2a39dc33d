#include "advisor/judge/bill_curve.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "advisor/judge/normal.h"

namespace rightsize {
namespace {

constexpr double reach = BillCurve::reach;
constexpr std::size_t points = 97;

// Whether it moves with the time, as near as anybody cares: where most bills are by the second,
// nothing is prepared. Looked at where no whole hours or days lie.
bool is_straight(const std::function<double(double)>& cost_of, double hours, double log_sd) {
  constexpr double same = 5e-3;
  constexpr std::array deviations{-4.7, -3.1, -1.9, -1.1, -0.4, 0.3, 0.8, 1.7, 2.9, 4.3};
  const double expected = cost_of(hours);
  return std::all_of(deviations.begin(), deviations.end(), [&](double deviation) {
    const double factor = std::exp(deviation * log_sd);
    return std::abs(cost_of(hours * factor) / (expected * factor) - 1) < same;
  });
}

}  // namespace

BillCurve::BillCurve(const std::function<double(double)>& cost_of, double hours, double log_sd) {
  if (log_sd <= 0 || is_straight(cost_of, hours, log_sd)) {
    return;
  }
  step_ = 2 * reach * log_sd / (points - 1);
  const double expected = cost_of(hours);
  for (std::size_t i = 0; i < points; ++i) {
    const double ln_factor = static_cast<double>(i) * step_ - reach * log_sd;
    ln_bills_.push_back(std::log(cost_of(hours * std::exp(ln_factor)) / expected));
  }
}

double BillCurve::ln_bill(double ln_factor) const {
  if (ln_bills_.empty()) {
    return ln_factor;
  }
  constexpr double last = points - 1;
  const double at = std::clamp(ln_factor / step_ + last / 2, 0.0, last);
  const auto below = std::min(static_cast<std::size_t>(at), points - 2);
  const double part = at - static_cast<double>(below);
  return ln_bills_[below] + part * (ln_bills_[below + 1] - ln_bills_[below]);
}

double chance_within(double budget,
                     const std::function<double(double)>& cost_of,
                     double hours,
                     double log_sd) {
  const auto within = [&](double ln_factor) {
    return cost_of(hours * std::exp(ln_factor)) <= budget;
  };
  if (log_sd <= 0) {
    return within(0) ? 1 : 0;
  }
  // As if it moved with the time, which two looks mostly show to be so.
  constexpr double near = 2e-3;
  const double guess = std::log(budget / cost_of(hours));
  double low = -reach * log_sd;
  double high = reach * log_sd;
  if (guess > low && guess < high && within(guess - near) && !within(guess + near)) {
    return normal_cdf(guess / log_sd);
  }
  if (!within(low)) {
    return 0;
  }
  if (within(high)) {
    return 1;
  }
  constexpr int halvings = 20;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (within(middle) ? low : high) = middle;
  }
  return normal_cdf(low / log_sd);
}

}  // namespace rightsize
