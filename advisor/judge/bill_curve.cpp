#include "advisor/judge/bill_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <boost/math/special_functions/erf.hpp>

#include "advisor/judge/normal.h"

namespace rightsize {
namespace {

constexpr double reach = 6;  // standard deviations on either side
constexpr std::size_t points = 1025;

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

// Between two points of one bill all are the same, and are not asked; between two that are near
// each other a bill of many small steps is as good as straight.
template <typename LnBillAt>
void BillCurve::fill(std::size_t from, std::size_t to, const LnBillAt& ln_bill_at) {
  if (to - from < 2) {
    return;
  }
  const auto begin = static_cast<std::ptrdiff_t>(from);
  const double low = ln_bills_[from];
  const double high = ln_bills_[to];
  if (low == high) {
    std::fill(ln_bills_.begin() + begin, ln_bills_.begin() + static_cast<std::ptrdiff_t>(to), low);
    return;
  }
  const std::size_t middle = (from + to) / 2;
  ln_bills_[middle] = ln_bill_at(middle);
  constexpr std::size_t near = points / 192;
  constexpr double small = 0.03;
  constexpr double bent = 5e-4;
  if (to - from <= near && high - low < small &&
      std::abs(ln_bills_[middle] - (low + high) / 2) < bent) {
    for (std::size_t i = from + 1; i < to; ++i) {
      const double part = static_cast<double>(i - from) / static_cast<double>(to - from);
      ln_bills_[i] = low + part * (high - low);
    }
    return;
  }
  fill(from, middle, ln_bill_at);
  fill(middle, to, ln_bill_at);
}

BillCurve::BillCurve(const std::function<double(double)>& cost_of, double hours, double log_sd) {
  if (log_sd <= 0 || is_straight(cost_of, hours, log_sd)) {
    return;
  }
  step_ = 2 * reach * log_sd / (points - 1);
  const auto ln_bill_at = [&](std::size_t i) {
    return std::log(cost_of(hours * std::exp(static_cast<double>(i) * step_ - reach * log_sd)));
  };
  ln_typical_ = std::log(typical_bill(cost_of, hours, log_sd));
  ln_bills_.resize(points);
  ln_bills_.front() = ln_bill_at(0);
  ln_bills_.back() = ln_bill_at(points - 1);
  fill(0, points - 1, ln_bill_at);
}

double BillCurve::ln_bill(double ln_factor) const {
  constexpr double last = points - 1;
  const double nearest = ln_factor / step_ + last / 2 + 0.5;
  return ln_bills_[static_cast<std::size_t>(std::clamp(nearest, 0.0, last))];
}

namespace {

constexpr std::size_t parts = 64;

// In standard deviations: the middles of parts that are as likely as each other.
const std::array<double, parts>& middles() {
  static const auto all = [] {
    std::array<double, parts> deviations{};
    for (std::size_t i = 0; i < parts; ++i) {
      const double share = (static_cast<double>(i) + 0.5) / parts;
      deviations.at(i) = std::numbers::sqrt2 * boost::math::erf_inv(2 * share - 1);
    }
    return deviations;
  }();
  return all;
}

// Between two of one bill, and with them half of each, all are the same, and are not asked.
template <typename LnBillAt>
double sum_between(
    std::size_t from, double low, std::size_t to, double high, const LnBillAt& ln_bill_at) {
  if (low == high || to - from < 2) {
    return static_cast<double>(to - from) * (low + high) / 2;
  }
  const std::size_t middle = (from + to) / 2;
  const double there = ln_bill_at(middle);
  return sum_between(from, low, middle, there, ln_bill_at) +
         sum_between(middle, there, to, high, ln_bill_at);
}

}  // namespace

double typical_bill(const std::function<double(double)>& cost_of, double hours, double log_sd) {
  const auto ln_bill_at = [&](std::size_t i) {
    return std::log(cost_of(hours * std::exp(middles().at(i) * log_sd)));
  };
  const double low = ln_bill_at(0);
  const double high = ln_bill_at(parts - 1);
  const double all = sum_between(0, low, parts - 1, high, ln_bill_at) + (low + high) / 2;
  return std::exp(all / parts);
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
  const double near = std::min(2e-3, 0.02 * log_sd);
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
