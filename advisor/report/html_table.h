// A report::Table as HTML that reads without a script and scrolls on its own on a narrow screen.
#pragma once

#include <set>
#include <string>

#include "advisor/report/table.h"

namespace rightsize::report {

struct HtmlTableOptions {
  std::string caption;     // says what the table is to those who cannot see where it stands
  bool sortable = false;   // the page's script makes buttons of the headings
  bool row_heads = false;  // the first column names the row
  std::set<std::size_t> strong_rows;
};

[[nodiscard]] std::string html_table(const Table& table, const HtmlTableOptions& options);

}  // namespace rightsize::report
