// Measured runs as one file: all of them in a table, the course of those that differ most, and each
// one's sheet with the line that repeats it.
#pragma once

#include <string>
#include <vector>

#include "advisor/report/html.h"
#include "profiler/record.h"

namespace rightsize::report {

struct RunsPage {
  std::string title;  // where the records are from
  std::vector<Record> records;
  std::string command;  // that made the page
};

// As HTML: no request to anywhere, readable without a script.
[[nodiscard]] std::string runs_html(const RunsPage& page);

// The same without charts.
[[nodiscard]] std::string runs_markdown(const RunsPage& page);

// "12 runs: 10 measured, 1 untrusted, 1 failed".
[[nodiscard]] std::string runs_headline(const std::vector<Record>& records);

}  // namespace rightsize::report
