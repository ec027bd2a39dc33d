// What is said of an objective wherever options are set side by side: on what they tie, and what
// the time of a service is.
#pragma once

#include <string>

#include "advisor/query/query.h"

namespace rightsize {

// "cannot be told apart from the first on cost", `other` being what it is compared with.
[[nodiscard]] std::string tie_words(const Objective& objective, const std::string& other);

// What a service's objective takes for time, which no service finishes in: a clause; "" of jobs and
// where time has no weight.
[[nodiscard]] std::string time_words(const Query& query);

// By which rule the one of two whose cost is within 1 % is taken though it costs more
// (judge/near_ties.h).
inline constexpr const char* near_tie_words =
    "costs within 1 % count as the same, and the faster goes first, then what asks less of the "
    "program";

// Behind a comparative: why the dearer by the expected bill is the better.
inline constexpr const char* typically =
    " by what it typically costs, over the times that it may take";

}  // namespace rightsize
