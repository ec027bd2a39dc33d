// Of saved answers that were asked with --current: which jobs move to another machine, which stay,
// and what that saves of all of them together.
#pragma once

#include <string>
#include <vector>

#include "advisor/report/named_answer.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// "3 of 8 move, 5 stay: ~$1,931 saved of ~$7,365 a month (26%), ~$71.04 saved of ~$118.84 a run of
// each (60%)." Behind it what of today's was signed for and is paid though it is left. Empty where
// no answer has a machine of today.
[[nodiscard]] std::string moves_sentence(const std::vector<NamedAnswer>& answers);

// A row for each that has one, and below them what all pay: of services and of jobs whose runs a
// month are said by the month, of other jobs by the run, in each currency.
[[nodiscard]] Table moves_table(const std::vector<NamedAnswer>& answers);

// The same of one answer for programs: today, advice, per, today_cost, then_cost, finding; empty
// cells where nothing is known.
[[nodiscard]] std::vector<std::string> move_cells(const Recommendation& answer);

}  // namespace rightsize::report
