#include "advisor/report/chart_scale.h"

#include <algorithm>
#include <cmath>

namespace rightsize::report {
namespace {

constexpr double pixels_per_tick = 60;

bool drawable(const ChartPoint& point, const XyChart& chart) {
  const auto fits = [](double value, const AxisPlan& plan) {
    return std::isfinite(value) && (plan.scale == Scale::linear || value > 0);
  };
  return fits(point.x, chart.x) && fits(point.y, chart.y);
}

void add(std::vector<double>& values, const std::optional<Range>& range) {
  if (range) {
    values.push_back(range->low);
    values.push_back(range->high);
  }
}

Range range_along(const XyChart& chart, bool of_x) {
  std::vector<double> values;
  for (const auto& series : chart.series) {
    for (const auto& point : series.points) {
      values.push_back(of_x ? point.x : point.y);
      add(values, of_x ? point.x_range : point.y_range);
    }
  }
  for (const auto& guide : chart.guides) {
    if (guide.vertical == of_x) {
      values.push_back(guide.at);
    }
  }
  const auto& plan = of_x ? chart.x : chart.y;
  return range_of(values, plan.scale, plan.from_zero);
}

}  // namespace

XyChart cleaned(XyChart chart) {
  for (auto& series : chart.series) {
    std::erase_if(series.points, [&](const auto& point) { return !drawable(point, chart); });
  }
  std::erase_if(chart.series, [](const auto& series) { return series.points.empty(); });
  return chart;
}

Range x_range(const XyChart& chart) {
  return range_along(chart, true);
}

Range y_range(const XyChart& chart) {
  return range_along(chart, false);
}

Range x_range(const RowChart& chart) {
  if (chart.fixed_range) {
    return *chart.fixed_range;
  }
  std::vector<double> values;
  for (const auto& row : chart.rows) {
    for (const auto& bar : row.bars) {
      values.push_back(bar.value);
    }
    for (const auto& mark : row.marks) {
      values.push_back(mark.at);
    }
    values.push_back(row.dot.value_or(NAN));
    add(values, row.interval);
  }
  return range_of(values, chart.x.scale, chart.x.from_zero);
}

std::vector<double> axis_ticks(const AxisPlan& plan, Range range, double length) {
  if (!plan.ticks.empty()) {
    std::vector<double> inside;
    std::copy_if(
        plan.ticks.begin(), plan.ticks.end(), std::back_inserter(inside), [&](double tick) {
          return tick >= range.low && tick <= range.high;
        });
    return inside;
  }
  return plan.scale == Scale::logarithmic
             ? log_ticks(range)
             : nice_ticks(range, std::max(2, static_cast<int>(length / pixels_per_tick)));
}

}  // namespace rightsize::report
