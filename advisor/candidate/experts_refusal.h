// Why GPUs cannot divide a mixture's experts as a step asks for it (expert_parallel, and
// expert_tensor_parallel beside it), and what they could.
#pragma once

#include <string>

#include "advisor/candidate/accelerator.h"

namespace rightsize {

// Empty where they can, or are not to.
[[nodiscard]] std::string why_experts_not_divided(const NetworkFacts& facts,
                                                  const AcceleratorQuery& query);

}  // namespace rightsize
