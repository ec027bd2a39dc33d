// What a move from today's machine saves, in words.
#pragma once

#include <string>

#include "advisor/recommendation.h"

namespace rightsize::report {

// "$3.10 per run, 21% (10% … 30%); $93 per month at 30 runs; 0.12 instead of 0.15 USD per million
// images". Of an answer whose machine of today has a move with savings.
[[nodiscard]] std::string savings_text(const Recommendation& answer, const RightSizing& it);

}  // namespace rightsize::report
