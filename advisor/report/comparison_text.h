// A Comparison rendered: the columns, then in words who is better where.
#pragma once

#include <string>
#include <vector>

#include "advisor/explain/comparison.h"
#include "advisor/report/style.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// One row per fact, one column per side, and second / first where a ratio means something.
[[nodiscard]] Table comparison_table(const Comparison& comparison);
// The same with plain numbers: fact, first, second, ratio with its ends.
[[nodiscard]] Table comparison_data(const Comparison& comparison);

// Who is the better, and the deadlines and prices at which that changes: one sentence each.
[[nodiscard]] std::vector<std::string> comparison_sentences(const Comparison& comparison);

[[nodiscard]] std::string comparison_text(const Comparison& comparison, const Style& style);
[[nodiscard]] std::string comparison_markdown(const Comparison& comparison);

}  // namespace rightsize::report
