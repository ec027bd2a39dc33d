// The precision that is taken where neither a job file nor a flag says one, by one rule for both:
// half, which every training and serving program of today computes in where the GPU has it. The
// libraries of the era computed in FP32: automatic mixed precision came to them with the V100.
#pragma once

#include <optional>

#include "kernels/workload.h"

namespace rightsize {

[[nodiscard]] constexpr Precision usual_precision(std::optional<Stack> stack) {
  return stack == Stack::era ? Precision::fp32 : Precision::fp16;
}

}  // namespace rightsize
