#include "advisor/report/axis.h"

#include <algorithm>
#include <cmath>

namespace rightsize::report {
namespace {

constexpr double air = 0.05;  // share of the range left free on either side
constexpr std::size_t most_log_ticks = 9;

std::vector<double> decade_ticks(Range range, std::span<const double> of_decade) {
  std::vector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(range.low)));
  const int last = static_cast<int>(std::ceil(std::log10(range.high)));
  for (int decade = first; decade <= last; ++decade) {
    for (const double digit : of_decade) {
      const double tick = digit * std::pow(10.0, decade);
      if (tick >= range.low * (1 - 1e-9) && tick <= range.high * (1 + 1e-9)) {
        ticks.push_back(tick);
      }
    }
  }
  return ticks;
}

}  // namespace

double Axis::position(double value) const {
  const bool log = scale == Scale::logarithmic;
  const double at = log ? std::log(value / data.low) / std::log(data.high / data.low)
                        : (value - data.low) / (data.high - data.low);
  return paper.low + at * (paper.high - paper.low);
}

std::vector<double> nice_ticks(Range range, int wanted) {
  const double span = range.high - range.low;
  if (!(span > 0) || !std::isfinite(span) || wanted < 1) {
    return {range.low};
  }
  const double rough = span / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double digit = rough / power;
  const double step = power * (digit <= 1.5 ? 1 : digit <= 3.5 ? 2 : digit <= 7.5 ? 5 : 10);
  std::vector<double> ticks;
  const double first = std::ceil(range.low / step - 1e-9);
  for (double n = first; n * step <= range.high + step * 1e-9; n += 1) {
    ticks.push_back(n == 0 ? 0 : n * step);
  }
  return ticks;
}

std::vector<double> log_ticks(Range range) {
  constexpr double fine[] = {1, 2, 5};
  constexpr double coarse[] = {1};
  auto ticks = decade_ticks(range, fine);
  if (ticks.size() > most_log_ticks) {
    ticks = decade_ticks(range, coarse);
  }
  return ticks.size() < 2 ? nice_ticks(range, 4) : ticks;
}

Range range_of(std::span<const double> values, Scale scale, bool from_zero) {
  const bool log = scale == Scale::logarithmic;
  double low = INFINITY;
  double high = -INFINITY;
  for (const double value : values) {
    if (std::isfinite(value) && (!log || value > 0)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (!(low <= high)) {
    return log ? Range{1, 10} : Range{0, 1};
  }
  if (log) {
    const double factor = high > low ? std::pow(high / low, air) : 1.5;
    return {low / factor, high * factor};
  }
  if (from_zero && low >= 0) {
    return {0, high > 0 ? high * (1 + air) : 1};
  }
  const double space = high > low ? (high - low) * air : std::max(std::abs(high) * 0.5, 0.5);
  return {low - space, high + space};
}

}  // namespace rightsize::report
