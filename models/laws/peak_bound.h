// The least that a step may take: what its matrix products take at the peak of a GPU's tensor
// cores, whatever a law with fitted efficiencies says of them. FP32 lanes have no such bound here:
// Winograd's algorithm does a convolution with fewer operations than are counted, and cards run
// above the clock that their peak is stated at (published figures reach 1.25 of it).
#pragma once

#include "models/laws/gpu_kernels.h"
#include "models/laws/gpu_spec.h"
#include "models/laws/gpu_step.h"

namespace rightsize {

// Seconds of one step; 0 where tensor cores do none of its products.
[[nodiscard]] double least_step_seconds(const GpuWork& work,
                                        const GpuSpec& gpu,
                                        const StepSetting& setting);

}  // namespace rightsize
