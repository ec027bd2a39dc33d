// What stands below a table of options: what its marks and columns mean.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "advisor/recommendation.h"

namespace rightsize::report {

// A sentence each without its full stop, one rule for text, Markdown and HTML. The first of them
// begins with "= " where an option ties that a table of `limit` shows.
[[nodiscard]] std::vector<std::string> table_notes(const Recommendation& answer, std::size_t limit);

}  // namespace rightsize::report
