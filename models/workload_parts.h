// Which parts of the pipeline of a workload take time: its data path, and its network on the CPU.
#pragma once

#include "kernels/workload.h"

namespace rightsize {

// A network, on the CPU; elsewhere there is a GPU that computes it, or a stand-in for one.
[[nodiscard]] constexpr bool computes_on_cpu(const Workload& workload) {
  return workload.engine == EngineKind::cpu && workload.phase != Phase::preprocess;
}

// Items that are read and prepared, rather than one batch that lies in memory.
[[nodiscard]] constexpr bool has_data_path(const Workload& workload) {
  return workload.data != DataFormat::synthetic || workload.phase == Phase::preprocess;
}

}  // namespace rightsize
