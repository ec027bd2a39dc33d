// A small made-up answer with its evidence: fixed, so that renderings can be compared byte by byte.
#pragma once

#include "advisor/report/report_data.h"

namespace rightsize::test {

// Three options, two rejections, four runs of which one is held out.
[[nodiscard]] report::ReportData small_report();

// The same with names that try to break out of HTML, attributes, JSON and Markdown.
[[nodiscard]] report::ReportData hostile_report();

// A service of 1500 requests/s and the same evidence: three fleets, one of them in use today.
[[nodiscard]] report::ReportData service_report();

[[nodiscard]] Option make_option(const std::string& instance, double hours, double cost);

}  // namespace rightsize::test
