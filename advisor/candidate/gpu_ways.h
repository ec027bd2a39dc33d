// What is tried of a job on GPUs.
#pragma once

#include <vector>

#include "advisor/candidate/candidate.h"
#include "advisor/query/query.h"

namespace rightsize {

inline constexpr int chosen_anew = 0;  // a batch: for each offer

// Each batch on 1, 2, 4 ... and `most` machines, wherever pictures may be resized; of a service on
// one.
[[nodiscard]] std::vector<Way> ways_on_gpus(const Query& query, int most);

}  // namespace rightsize
