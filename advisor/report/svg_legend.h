// The key of a chart, in rows as wide as the chart allows.
#pragma once

#include <string>
#include <vector>

#include "advisor/report/chart.h"

namespace rightsize::report {

struct Legend {
  std::string svg;
  double height = 0;  // 0 when no series has a name
};

[[nodiscard]] Legend legend(const std::vector<Series>& series,
                            double left,
                            double top,
                            double right);

}  // namespace rightsize::report
