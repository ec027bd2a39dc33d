// The charts of a language model that writes tokens, beside those of every service: waiting by the
// number of machines, where a GPU's memory goes, what an iteration is made of.
#pragma once

#include <cstddef>

#include "advisor/recommendation.h"
#include "advisor/report/chart.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// The 99th percentiles of the chosen machine by the number of it, as shares of their limits, with
// their intervals. Empty of a saved answer, which does not hold the law of its replicas.
[[nodiscard]] XyChart token_machines_chart(const Recommendation& answer);
[[nodiscard]] Table token_machines_table(const Recommendation& answer);

// Of each GPU's memory the weights, the caches of the sequences in flight, room for more, and what
// is kept for other things.
[[nodiscard]] RowChart token_memory_chart(const Recommendation& answer, std::size_t limit);

// Of an iteration of each option's replicas, likewise empty of a saved answer.
[[nodiscard]] RowChart token_time_chart(const Recommendation& answer, std::size_t limit);

}  // namespace rightsize::report
