// A service's answer in words: machines, latency, and what a month and a thousand requests cost.
#pragma once

#include <cstddef>
#include <string>

#include "advisor/recommendation.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// "3 x g6.xlarge ...". Requires answer.chosen.
[[nodiscard]] std::string service_sentence(const Recommendation& answer);
// "answering 300 requests/s of resnet50, 99% within 50 ms".
[[nodiscard]] std::string service_words(const Query& query);
// One row per option; `limit` rows, 0 = all.
[[nodiscard]] Table service_table(const Recommendation& answer, std::size_t limit);

}  // namespace rightsize::report
