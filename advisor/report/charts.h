// The charts of the answer: what the options cost, how long they take, what holds them up.
#pragma once

#include <string>
#include <vector>

#include "advisor/recommendation.h"
#include "advisor/report/chart.h"

namespace rightsize::report {

// Cost against time: every option with its interval, the frontier that nothing beats in both, the
// deadline and the budget with their far side shaded. Only the frontier and the chosen are named.
[[nodiscard]] XyChart pareto_chart(const Recommendation& answer);

// Cost interval of the first `limit` options, with the chance of each to be the cheapest.
[[nodiscard]] RowChart cost_chart(const Recommendation& answer, std::size_t limit);

// Busy share of every resource of the first `limit` options: the full bar is the bottleneck.
// Stages overlap, so the shares of an option do not add up to anything.
[[nodiscard]] RowChart bottleneck_chart(const Recommendation& answer, std::size_t limit);

// "aws g6e.4xlarge", with " [Spot]": how charts and details name an option.
[[nodiscard]] std::string option_name(const Option& option);

}  // namespace rightsize::report
