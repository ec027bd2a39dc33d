// One run, whole: what was asked, what was seen, how far to trust it, and its course over time.
#pragma once

#include <string>

#include "advisor/report/style.h"
#include "profiler/record.h"

namespace rightsize::report {

// Lines of at most 100 columns, but for commands, which stay in one piece to be pasted. What is not
// known has no line.
[[nodiscard]] std::string run_sheet(const Record& record, const Style& style = {});

}  // namespace rightsize::report
