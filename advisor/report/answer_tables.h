// The options of a Recommendation as tables, for people and for programs.
#pragma once

#include <cstddef>

#include "advisor/recommendation.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// The options, the chosen one marked; `limit` rows, 0 = all. `wide` adds disk, batch and sources.
[[nodiscard]] Table option_table(const Recommendation& answer, std::size_t limit, bool wide);

// That of the query's kind: option_table() of a job, service_table() of a service.
[[nodiscard]] Table shown_table(const Recommendation& answer, std::size_t limit, bool wide);

// The same rows, each with the number that stands for it in the shell.
[[nodiscard]] Table numbered_option_table(const Recommendation& answer, std::size_t limit);

// The same options with plain numbers, one unit per column, for CSV.
[[nodiscard]] Table option_data(const Recommendation& answer);

}  // namespace rightsize::report
