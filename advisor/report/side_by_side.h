// Several saved answers beside each other: one report that compares what was recommended for
// different jobs, constraints or days, and what moving from today's machines saves.
#pragma once

#include <string>
#include <vector>

#include "advisor/report/chart.h"
#include "advisor/report/named_answer.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// A column per answer, a row per fact of what it chose.
[[nodiscard]] Table side_by_side_table(const std::vector<NamedAnswer>& answers);

// One row per answer, as data: a reader's spreadsheet.
[[nodiscard]] Table side_by_side_data(const std::vector<NamedAnswer>& answers);

// The cost of each answer's choice with its interval; answers in the first one's currency only.
[[nodiscard]] RowChart side_by_side_chart(const std::vector<NamedAnswer>& answers);

[[nodiscard]] std::string side_by_side_html(const std::vector<NamedAnswer>& answers,
                                            const std::string& command);
[[nodiscard]] std::string side_by_side_markdown(const std::vector<NamedAnswer>& answers,
                                                const std::string& command);

// A JSON array of the documents as they are.
[[nodiscard]] std::string side_by_side_json(const std::vector<NamedAnswer>& answers);

}  // namespace rightsize::report
