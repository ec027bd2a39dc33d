// What to do about the machine a job runs on today: a headline and its facts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "advisor/recommendation.h"

namespace rightsize::report {

// Whether today's machine is reserved for years, and what a move from it leaves to be paid; "" of
// others.
[[nodiscard]] bool is_signed_for(const RightSizing& current);
[[nodiscard]] std::string signed_words(const RightSizing& current);

// "Move from p4d.24xlarge to g6e.4xlarge: saves 83% ..." or why to stay. Requires answer.current.
[[nodiscard]] std::string right_sizing_sentence(const Recommendation& answer);

// Finding, savings, risk and effort, each with its words; in the order people read them.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> right_sizing_facts(
    const Recommendation& answer);

}  // namespace rightsize::report
