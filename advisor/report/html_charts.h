// The section of the page that holds the charts, each with its table.
#pragma once

#include <string>

#include "advisor/report/report_data.h"

namespace rightsize::report {

[[nodiscard]] std::string chart_section(const ReportData& data);

}  // namespace rightsize::report
