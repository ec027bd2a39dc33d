// The GPUs of price tables and flags: which names there are figures for.
#pragma once

#include "pricing/gpu_check.h"

namespace rightsize::cli {

// "no figures for the GPU "H1000", did you mean H100?; rightsize gpus lists those there are"
[[nodiscard]] GpuDoubt gpu_doubt();

}  // namespace rightsize::cli
