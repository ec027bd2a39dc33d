// The sections of a page that hold charts, each with its table.
#pragma once

#include <string>
#include <vector>

#include "advisor/report/evidence_charts.h"
#include "advisor/report/report_data.h"

namespace rightsize::report {

[[nodiscard]] std::string chart_section(const ReportData& data);

// What runs used over time, and their peaks and means in numbers; empty without any.
[[nodiscard]] std::string timeline_figures(const std::vector<RunTimeline>& drawn);

}  // namespace rightsize::report
