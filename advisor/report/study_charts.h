// The charts of what was studied about the chosen option (advisor/study/study.h).
#pragma once

#include <optional>
#include <string>

#include "advisor/recommendation.h"
#include "advisor/report/chart.h"
#include "advisor/study/study.h"

namespace rightsize::report {

// Throughput against one resource, with its band, the knee in its interval, and the option's own
// amount; dashed beyond `measured`, the amounts that the runs behind the model had. Ticks of a vCPU
// axis are sizes that are sold.
[[nodiscard]] XyChart response_chart(const Recommendation& answer,
                                     const Response& response,
                                     std::optional<Range> measured);

// What moves the cost of the option: one row per input, triangles where the choice would change.
[[nodiscard]] RowChart tornado_chart(const Recommendation& answer, const Study& study);

// Share of ideal speed-up by GPUs, each named with what a million items cost there.
[[nodiscard]] XyChart scaling_chart(const Recommendation& answer, const Study& study);

// What a million items cost on the machine of the step, in its currency.
[[nodiscard]] std::optional<double> cost_per_million(const ScalingStep& step);

// "spot", "on-demand by the month"
[[nodiscard]] std::string market_words(const MarketPrice& price);

// Cost of a month against the hours it is used, by market, of all machines of the chosen option and
// their disks: from 0 hours on where the whole month is paid for.
[[nodiscard]] XyChart market_chart(const Recommendation& answer, const Study& study);

// "2.4": how many times as long the job may take on spot before on-demand costs less, the disks
// held as long; nothing where the two are not both sold.
[[nodiscard]] std::optional<double> spot_break_even(const Recommendation& answer,
                                                    const Study& study);

}  // namespace rightsize::report
