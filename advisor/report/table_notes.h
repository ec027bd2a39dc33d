// What stands below a table of options: what its marks and columns mean.
#pragma once

#include <string>
#include <vector>

#include "advisor/recommendation.h"

namespace rightsize::report {

// A sentence each without its full stop, one rule for text, Markdown and HTML. The first of them
// begins with "= " where options tie.
[[nodiscard]] std::vector<std::string> table_notes(const Recommendation& answer);

}  // namespace rightsize::report
