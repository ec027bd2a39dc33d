// Data parallelism over the GPUs of one machine: one GPU engine per rank, its gradients averaged
// inside its step.
#pragma once

#include <memory>

#include "kernels/engine.h"

namespace rightsize {

// Rank i of options.ranks on device options.device + i, `batch` items each; a step takes the items
// of all ranks one after the other. The exchange is part of compute_s: it runs inside the step's
// graph. Throws EngineError where there are not as many GPUs, or no NCCL.
[[nodiscard]] std::unique_ptr<Engine> make_parallel_gpu_engine(const Network& network,
                                                               const EngineOptions& options);

}  // namespace rightsize
