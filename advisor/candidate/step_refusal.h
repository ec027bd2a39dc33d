// Why a step cannot be computed as it is asked for, whatever the GPU: engines that learn, layers
// that so many GPUs cannot share, exchanges that do not go together.
#pragma once

#include <string>

#include "advisor/candidate/accelerator.h"

namespace rightsize {

// Empty where nothing speaks against it.
[[nodiscard]] std::string why_unsupported(const NetworkFacts& facts, const AcceleratorQuery& query);

}  // namespace rightsize
