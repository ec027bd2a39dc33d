// The charts of the answer: what the options cost, how long they take, what holds them up.
#pragma once

#include <optional>
#include <string>

#include "advisor/recommendation.h"
#include "advisor/report/chart.h"

namespace rightsize::report {

// Cost against time: every option with its interval, the frontier that nothing beats in both, the
// deadline and the budget with their far side shaded. Only the frontier and the chosen are named.
// `current`: the machine that is used now, drawn as "you are here".
[[nodiscard]] XyChart pareto_chart(const Recommendation& answer,
                                   const std::optional<Option>& current = std::nullopt);

// Cost interval of the first `limit` options, with the chance of each to be the cheapest.
[[nodiscard]] RowChart cost_chart(const Recommendation& answer, std::size_t limit);

// What the time of the first `limit` options is made of: each resource's share of it, adding up to
// 100 % (time_shares of models/pipeline.h).
[[nodiscard]] RowChart bottleneck_chart(const Recommendation& answer, std::size_t limit);

// What a million items cost by vCPUs and memory: of every shape that is sold, its cheapest option.
[[nodiscard]] GridChart shape_chart(const Recommendation& answer);

// What a million items cost on an option; `end` is one of value, low, high.
[[nodiscard]] double cost_per_million(const Recommendation& answer,
                                      const Option& option,
                                      double Estimate::*end = &Estimate::value);

// "aws g6e.4xlarge [Spot]", "4 x aws p4d.24xlarge" of a job on several: how charts and details name
// an option.
[[nodiscard]] std::string option_name(const Option& option);

}  // namespace rightsize::report
