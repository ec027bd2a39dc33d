// What to ask instead where a step does not fit the GPU's memory. Only what fits by the same law,
// with room to spare, is named.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advisor/candidate/accelerator.h"

namespace rightsize {

// How every reason begins that is the memory of a GPU, and no other: a rejection is its words, and
// by these it is known to have a way out.
inline constexpr std::string_view gpu_memory_too_small = "GPU memory too small";

// A few words each, such as "--batch 4 fits" or "a GPU of more memory does it, such as H200"; empty
// where nothing that is tried here fits. Flags are those that predict and advise have.
[[nodiscard]] std::vector<std::string> ways_out_of_memory(const GpuRates& rates,
                                                          const AcceleratorQuery& query);

// Whether some way of the query has its step in `gpu`, as it is sold, without filling the last
// tenth of its memory.
[[nodiscard]] bool fits_safely(const NetworkFacts& facts, AcceleratorQuery query, GpuSpec gpu);

}  // namespace rightsize
