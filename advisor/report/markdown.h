// The report as Markdown for a pull request or an issue: the same order as the page, the long parts
// folded. Tables carry what charts show.
#pragma once

#include <string>

#include "advisor/report/report_data.h"

namespace rightsize::report {

[[nodiscard]] std::string markdown_report(const ReportData& data);

}  // namespace rightsize::report
