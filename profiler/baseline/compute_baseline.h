// Cores, memory and JPEG decoding.
#pragma once

#include <vector>

#include "profiler/baseline/baseline.h"

namespace rightsize {

// float32 and int32 rates by instruction set, memory bandwidth (the STREAM triad: McCalpin, "Memory
// Bandwidth and Machine Balance in Current High Performance Computers", 1995), JPEG decoding; each
// on one thread, and on all this process may use.
[[nodiscard]] std::vector<BaselineFigure> measure_compute(const BaselineOptions& options);

}  // namespace rightsize
