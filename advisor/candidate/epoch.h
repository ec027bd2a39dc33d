// An epoch whose items are fewer than an update takes.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/workload.h"

namespace rightsize {

// Of one node, which takes `batch` items in a step: its share of the data set, and in training one
// step at the least.
[[nodiscard]] double items_of_epoch(std::uint64_t items,
                                    int nodes,
                                    Phase phase,
                                    std::int64_t batch);

// "an update takes 16384 items ..." where the data set has fewer than all nodes take together in an
// update of training; else empty.
[[nodiscard]] std::string update_beyond_data(std::uint64_t items,
                                             Phase phase,
                                             std::int64_t update_items);

}  // namespace rightsize
