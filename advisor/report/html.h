// The report as one HTML file: no request to anywhere, readable without a script, printable on A4.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "advisor/report/report_data.h"

namespace rightsize::report {

[[nodiscard]] std::string html_report(const ReportData& data);

// Replaces every {{name}} of the template in one pass: what is put in is not looked at again.
// Throws std::logic_error when a name has no value: a bug, not a user's mistake.
[[nodiscard]] std::string filled(std::string_view text,
                                 const std::map<std::string, std::string>& values);

}  // namespace rightsize::report
