// What three runs that differ in nothing but their data say of a job's stalls.
#pragma once

#include <string>
#include <vector>

#include "advisor/report/style.h"
#include "profiler/record.h"

namespace rightsize::report {

// A sentence and a table for each differential among the records; empty where there is none.
[[nodiscard]] std::string differential_text(const std::vector<Record>& records,
                                            const Style& style = {});

}  // namespace rightsize::report
