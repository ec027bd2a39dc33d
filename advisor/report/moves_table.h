// Of saved answers that were asked with --current: which jobs move to another machine, which stay,
// and what that saves of all of them together.
#pragma once

#include <string>
#include <vector>

#include "advisor/report/named_answer.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// "3 of 8 move, which saves ~$1,931 of ~$7,365 a month (26%) and ~$71.04 of ~$118.84 a run of each
// (60%); 5 stay." Empty where no answer has a machine of today.
[[nodiscard]] std::string moves_sentence(const std::vector<NamedAnswer>& answers);

// A row for each that has one, and below them what all pay: of services and of jobs whose runs a
// month are said by the month, of other jobs by the run, in each currency.
[[nodiscard]] Table moves_table(const std::vector<NamedAnswer>& answers);

// The same of one answer for programs: today, today_cost, advice, saved, finding; empty cells where
// nothing is known. Costs are a service's month, or a job's run.
[[nodiscard]] std::vector<std::string> move_cells(const Recommendation& answer);

}  // namespace rightsize::report
