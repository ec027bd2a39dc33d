// Records for programs to read: one row each, plain numbers, one unit a column (its name says
// which), the id first. What is not known is an empty cell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advisor/report/table.h"
#include "profiler/record.h"

namespace rightsize::report {

[[nodiscard]] Table record_columns(const std::vector<Record>& records);

// In the form of -o: "json" and "jsonl" are the documents themselves, "csv" is record_columns(),
// "names" the ids; the others are the table that people read.
[[nodiscard]] std::string rendered_records(const std::vector<Record>& records,
                                           std::string_view format,
                                           const Style& style);

}  // namespace rightsize::report
