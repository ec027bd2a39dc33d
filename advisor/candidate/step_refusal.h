// Why a step cannot be computed as it is asked for: whatever the GPU, as of engines that learn,
// layers that so many GPUs cannot share and exchanges that do not go together; or by one of them.
#pragma once

#include <string>

#include "advisor/candidate/accelerator.h"

namespace rightsize {

// Empty where nothing speaks against it.
[[nodiscard]] std::string why_unsupported(const NetworkFacts& facts, const AcceleratorQuery& query);

// The same of this GPU: links and precisions that it has not, and what is not known of it.
[[nodiscard]] std::string why_unsupported_by(const GpuSpec& gpu,
                                             const NetworkFacts& facts,
                                             const AcceleratorQuery& query);

}  // namespace rightsize
