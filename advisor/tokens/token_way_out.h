// What to ask instead where a language model that writes tokens does not fit a machine's GPUs, or
// is not in time on any number of them. Only what writes the load in time by the same law is named.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advisor/machine/configuration.h"
#include "models/laws/gpu_rate.h"

namespace rightsize {

// A few words each: narrower weights, more of the same GPU, a GPU of more memory; empty where
// nothing that is tried does. `asked` has tokens; `flag` is what names a GPU to the command that
// asks, "--machine gpu=" or "--gpu ".
[[nodiscard]] std::vector<std::string> token_ways_out(const GpuRates& rates,
                                                      const Configuration& asked,
                                                      std::string_view flag);

}  // namespace rightsize
