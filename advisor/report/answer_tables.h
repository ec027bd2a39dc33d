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

// Of all that satisfy, how many such a table leaves out, with those that the answer itself does.
[[nodiscard]] std::size_t options_left_out(const Recommendation& answer, std::size_t limit);

// Leaves in the answer the options that such a table shows, and their ties.
void keep_shown(Recommendation& answer, std::size_t limit);

// The same rows, each with the number that stands for it in the shell.
[[nodiscard]] Table numbered_option_table(const Recommendation& answer, std::size_t limit);

// The same options with plain numbers, one unit per column, for CSV.
[[nodiscard]] Table option_data(const Recommendation& answer);

}  // namespace rightsize::report
