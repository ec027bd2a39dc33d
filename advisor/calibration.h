// The published figures this binary ships, parsed.
#pragma once

#include <vector>

#include "models/laws/cpu_speed.h"
#include "models/laws/gpu_rate.h"
#include "models/model.h"
#include "models/rate_validation.h"

namespace rightsize {

[[nodiscard]] GpuRates shipped_gpu_rates();
[[nodiscard]] RateTables shipped_rate_tables();

// The shipped figures with what `model` saw on its own GPU before them.
[[nodiscard]] GpuRates gpu_rates_with(const Model& model);
// What users measured themselves, before all others; without what a stage did. Throws UsageError
// for a GPU we do not know.
void add_own_rates(GpuRates& rates, std::vector<MeasuredRate> own);
[[nodiscard]] CpuSpeeds shipped_cpu_speeds();

// The model fitted to examples/measurements/demo.jsonl: what answers before anything was measured.
[[nodiscard]] Model shipped_model();

}  // namespace rightsize
