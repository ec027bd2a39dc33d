#include "advisor/judge/bill_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>

#include <boost/math/special_functions/erf.hpp>

#include "kernels/normal_distribution.h"

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

BillCurve::BillCurve(const std::function<double(double)>& cost_of,
                     double hours,
                     double log_sd,
                     double faster) {
  if (log_sd <= 0 || is_straight(cost_of, hours, log_sd)) {
    return;
  }
  step_ = 2 * reach * log_sd / (points - 1);
  const auto ln_bill_at = [&](std::size_t i) {
    return std::log(cost_of(hours * std::exp(static_cast<double>(i) * step_ - reach * log_sd)));
  };
  ln_typical_ = std::log(typical_bill(cost_of, hours, log_sd, 0, faster));
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

// Of `cost` at the ends of steps.
struct Line {
  double from_h = 0;
  double cost = 0;
  double per_h = 0;

  [[nodiscard]] double at(double hours) const { return cost + per_h * (hours - from_h); }
};

// On which the ends of all steps lie that the time may well come to; nullopt where they bend, as by
// a least that is billed or a discount from some hours on.
std::optional<Line> line_of_steps(const std::function<double(double)>& cost_of,
                                  double shortest_h,
                                  double longest_h,
                                  double step_h) {
  constexpr double same = 1e-6;
  const auto end_of_step = [&](double hours) { return std::ceil(hours / step_h) * step_h; };
  const auto cost_until = [&](double end) { return cost_of(end - step_h / 2); };
  const double first = end_of_step(shortest_h);
  const double last = end_of_step(longest_h);
  const double middle = end_of_step((first + last) / 2);
  Line line{first, cost_until(first), 0};
  line.per_h = (cost_until(last) - line.cost) / (last - first);
  return std::abs(cost_until(middle) / line.at(middle) - 1) < same ? std::optional(line)
                                                                   : std::nullopt;
}

// Where the time spreads over several steps it ends anywhere in one as likely as elsewhere: what
// is billed beyond it is uniform from nothing to a step (the ripple that is left of whole steps is
// exp(-2 pi^2 s^2) of one for s steps in a standard deviation, by Poisson's summation).
// Gauss-Hermite in the time's logarithm, Gauss-Legendre in the step.
std::optional<double> typical_of_fine_steps(const std::function<double(double)>& cost_of,
                                            double hours,
                                            double log_sd,
                                            double step_h,
                                            double faster) {
  constexpr double farthest = 3;   // standard deviations, beyond which no node lies
  constexpr double several = 0.7;  // steps in one of them
  if (step_h <= 0 || hours * log_sd * faster < several * step_h) {
    return std::nullopt;
  }
  const auto line = line_of_steps(
      cost_of, hours * std::exp(-farthest * log_sd), hours * std::exp(farthest * log_sd), step_h);
  if (!line) {
    return std::nullopt;
  }
  struct Node {
    double deviation;
    double weight;
  };
  constexpr std::array nodes{Node{-2.8569700138728056, 0.011257411327720689},
                             Node{-1.3556261799742657, 0.2220759220056126},
                             Node{0, 0.53333333333333333},
                             Node{1.3556261799742657, 0.2220759220056126},
                             Node{2.8569700138728056, 0.011257411327720689}};
  constexpr double off_middle = 0.28867513459481287;  // 1 / (2 sqrt 3)
  // Where the two sides differ the logarithm bends at the expected time, and the nodes make 0.3332
  // of a side's mean that is 0.3989.
  constexpr double missed = std::numbers::inv_sqrtpi / std::numbers::sqrt2 - 0.3332140;
  const double expected = hours + step_h / 2;
  double sum = missed * (1 - faster) * log_sd * line->per_h * hours / line->at(expected);
  for (const auto& node : nodes) {
    const double side = node.deviation < 0 ? faster : 1;
    const double middle = hours * std::exp(side * node.deviation * log_sd) + step_h / 2;
    sum += node.weight *
           (std::log(line->at(middle - off_middle * step_h)) +
            std::log(line->at(middle + off_middle * step_h))) /
           2;
  }
  return std::exp(sum);
}

}  // namespace

double typical_bill(const std::function<double(double)>& cost_of,
                    double hours,
                    double log_sd,
                    double step_h,
                    double faster) {
  if (const auto typical = typical_of_fine_steps(cost_of, hours, log_sd, step_h, faster)) {
    return *typical;
  }
  const auto ln_bill_at = [&](std::size_t i) {
    const double deviation = middles().at(i);
    return std::log(cost_of(hours * std::exp((deviation < 0 ? faster : 1) * deviation * log_sd)));
  };
  const double low = ln_bill_at(0);
  const double high = ln_bill_at(parts - 1);
  const double all = sum_between(0, low, parts - 1, high, ln_bill_at) + (low + high) / 2;
  return std::exp(all / parts);
}

double chance_within(double budget,
                     const std::function<double(double)>& cost_of,
                     double hours,
                     double log_sd,
                     double faster) {
  const auto within = [&](double ln_factor) {
    return cost_of(hours * std::exp(ln_factor)) <= budget;
  };
  if (log_sd <= 0) {
    return within(0) ? 1 : 0;
  }
  const auto chance = [&](double ln_factor) {
    return normal_cdf(ln_factor / (log_sd * (ln_factor < 0 ? faster : 1)));
  };
  // As if it moved with the time, which two looks mostly show to be so.
  const double near = std::min(2e-3, 0.02 * log_sd);
  const double guess = std::log(budget / cost_of(hours));
  double low = -reach * log_sd;
  double high = reach * log_sd;
  if (guess > low && guess < high && within(guess - near) && !within(guess + near)) {
    return chance(guess);
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
  return chance(low);
}

}  // namespace rightsize
