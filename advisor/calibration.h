// The published figures this binary ships, parsed.
#pragma once

#include "models/laws/cpu_speed.h"
#include "models/laws/gpu_rate.h"

namespace rightsize {

[[nodiscard]] GpuRates shipped_gpu_rates();
[[nodiscard]] CpuSpeeds shipped_cpu_speeds();

}  // namespace rightsize
