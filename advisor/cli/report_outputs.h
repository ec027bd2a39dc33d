// What a report is written to: any number of forms, each to a file or, one of them, to stdout.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "advisor/cli/command.h"

namespace rightsize::cli {

// --html, --md, --csv and --json, each with its file, and one more form by -o and --out-file. "-"
// is stdout for all of them.
void add_report_outputs(Options& options);

struct ReportOutput {
  std::string form;  // "html", "md", "csv" or "json"
  std::string path;  // "-": stdout
};

// What was asked for; `usual` forms as report.FORM where nothing was. Throws UsageError where two
// would take each other's place, or share stdout.
[[nodiscard]] std::vector<ReportOutput> report_outputs(const Values& values,
                                                       const std::vector<std::string>& usual);

// Each by `render`; then the names and sizes of the files, on stdout unless the report is there.
void write_report(Context& context,
                  const std::vector<ReportOutput>& outputs,
                  const std::function<std::string(std::string_view form)>& render);

}  // namespace rightsize::cli
