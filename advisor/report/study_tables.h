// The study of the chosen option in numbers: the tables under its charts.
#pragma once

#include "advisor/recommendation.h"
#include "advisor/report/table.h"
#include "advisor/study/study.h"

namespace rightsize::report {

// One row per resource: what the option has, and the knee with its interval.
[[nodiscard]] Table knee_table(const Study& study);

// Every input with its range, the cost at both ends, and where the choice changes.
[[nodiscard]] Table tornado_table(const Recommendation& answer, const Study& study);
[[nodiscard]] Table scaling_table(const Study& study);
[[nodiscard]] Table market_table(const Study& study);

}  // namespace rightsize::report
