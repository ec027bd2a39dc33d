// The published figures this binary ships, parsed.
#pragma once

#include "models/laws/cpu_speed.h"
#include "models/laws/gpu_rate.h"
#include "models/model.h"
#include "models/rate_validation.h"

namespace rightsize {

[[nodiscard]] GpuRates shipped_gpu_rates();
[[nodiscard]] RateTables shipped_rate_tables();

// The shipped figures with what `model` saw on its own GPU before them.
[[nodiscard]] GpuRates gpu_rates_with(const Model& model);
[[nodiscard]] CpuSpeeds shipped_cpu_speeds();

}  // namespace rightsize
