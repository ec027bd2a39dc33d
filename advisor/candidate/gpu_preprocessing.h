// What changes in a setting where the vCPUs decode only: the GPU reads the decoded picture,
// resizes, crops and normalises it, and writes what the network takes.
#pragma once

#include "kernels/workload.h"
#include "models/laws/gpu_spec.h"
#include "models/setting.h"

namespace rightsize {

// Whether the format has pictures of which the GPU can take a part.
[[nodiscard]] bool gpu_preprocesses(DataFormat format);

// Of a node with `gpus` of them. `input_bytes`: what the network takes, of one item. Expects
// gpu_preprocesses(format).
void preprocess_on_gpu(
    Setting& setting, DataFormat format, double input_bytes, const GpuSpec& gpu, double gpus);

}  // namespace rightsize
