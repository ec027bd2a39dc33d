// What the renderers of a chart must agree on: which points can be drawn, how far the axes reach,
// and where their ticks stand.
#pragma once

#include <vector>

#include "advisor/report/chart.h"

namespace rightsize::report {

// Without the points that are not finite, or not positive on a logarithmic axis, and without the
// series and the rows that are left empty.
[[nodiscard]] XyChart cleaned(XyChart chart);

// Holds every point, error bar and guide of the chart.
[[nodiscard]] Range x_range(const XyChart& chart);
[[nodiscard]] Range y_range(const XyChart& chart);
[[nodiscard]] Range x_range(const RowChart& chart);

// The plan's own ticks inside the range, or nice ones for an axis that is `length` pixels long.
[[nodiscard]] std::vector<double> axis_ticks(const AxisPlan& plan, Range range, double length);

}  // namespace rightsize::report
