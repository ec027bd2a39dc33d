// A chart with one row per option: bars, or a dot in its interval. Same conventions as svg_chart.
#pragma once

#include <string>

#include "advisor/report/chart.h"

namespace rightsize::report {

[[nodiscard]] std::string svg(const RowChart& chart);

}  // namespace rightsize::report
