// The charts of a service: cost against latency, latency against machines, cost against load.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "advisor/recommendation.h"
#include "advisor/report/chart.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// A month's cost against the 99th percentile: every option with its intervals, the frontier that
// nothing beats in both, the latency asked for and the budget. `current` is "you are here".
[[nodiscard]] XyChart latency_cost_chart(const Recommendation& answer,
                                         const std::optional<Option>& current = std::nullopt);

// The 99th percentile of the chosen machine by the number of it, with its interval and the latency
// asked for. Empty for answers of versions that did not save the server's law.
[[nodiscard]] XyChart machines_chart(const Recommendation& answer);

// What a million requests cost by load, of the chosen and the first others with another GPU: each
// step is a machine more.
[[nodiscard]] XyChart load_chart(const Recommendation& answer);

// The first two as numbers, for those who read no charts.
[[nodiscard]] Table machines_table(const Recommendation& answer);
[[nodiscard]] Table load_table(const Recommendation& answer);

}  // namespace rightsize::report
