// What to ask instead where a step does not fit the GPU's memory. Only what fits by the same law is
// named.
#pragma once

#include <string>
#include <vector>

#include "advisor/accelerator.h"

namespace rightsize {

// A few words each, such as "--batch 4 fits" or "A100-80GB has the memory"; empty where nothing
// that is tried here fits. Flags are those of predict and advise.
[[nodiscard]] std::vector<std::string> ways_out_of_memory(const GpuRates& rates,
                                                          const AcceleratorQuery& query);

}  // namespace rightsize
