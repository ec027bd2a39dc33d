// The report as one HTML file: no request to anywhere, readable without a script, printable on A4.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "advisor/report/report_data.h"

namespace rightsize::report {

// What stands where in the page. Texts of title, headline and command are escaped here, the others
// are HTML already; `json` is put in so that it ends no script.
struct PageParts {
  std::string title;
  std::string headline;
  std::string tiles;
  std::string warnings;
  std::string premises;
  std::string options;
  std::string charts;
  std::string details;
  std::string rejected;
  std::string method;
  std::string measurements;
  std::string command;
  std::string json;
};
[[nodiscard]] std::string page_of(const PageParts& parts);

[[nodiscard]] std::string html_report(const ReportData& data);

// Replaces every {{name}} of the template in one pass: what is put in is not looked at again.
// Throws std::logic_error when a name has no value: a bug, not a user's mistake.
[[nodiscard]] std::string filled(std::string_view text,
                                 const std::map<std::string, std::string>& values);

}  // namespace rightsize::report
