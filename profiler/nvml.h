// The GPUs of this machine as the NVIDIA driver's management library sees them.
#pragma once

#include <vector>

#include "profiler/machine.h"

namespace rightsize {

// Opens libnvidia-ml.so.1 at run time: empty where there is no driver. Never throws.
[[nodiscard]] std::vector<Gpu> list_gpus();

}  // namespace rightsize
