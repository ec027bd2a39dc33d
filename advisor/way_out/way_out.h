// What to ask instead where a step does not fit the GPU's memory. Only what fits by the same law,
// with room to spare, is named.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "advisor/candidate/accelerator.h"

namespace rightsize {

// One of them, in words and as it would be asked.
struct WayOut {
  std::string words;
  AcceleratorQuery asked;
};

// `sold`: the only other GPUs that are named; empty: any.
[[nodiscard]] std::vector<WayOut> memory_ways_out(const GpuRates& rates,
                                                  const AcceleratorQuery& query,
                                                  const std::set<std::string>& sold = {});

// Their words. A few each, such as "--batch 4 fits" or "a GPU of more memory does it, such as
// H200"; empty where nothing that is tried here fits. Flags are those that predict and advise have.
// Tables of a recommender GPUs may divide where they work `together`. `sold` as above.
[[nodiscard]] std::vector<std::string> ways_out_of_memory(const GpuRates& rates,
                                                          const AcceleratorQuery& query,
                                                          bool together = true,
                                                          const std::set<std::string>& sold = {});

// Whether some way of the query has its step in `gpu`, as it is sold, without filling the last
// tenth of its memory.
[[nodiscard]] bool fits_safely(const NetworkFacts& facts, AcceleratorQuery query, GpuSpec gpu);

}  // namespace rightsize
