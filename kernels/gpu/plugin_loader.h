// Finds the CUDA plugin at run time, so that one binary serves machines with and without a GPU.
#pragma once

#include <memory>

#include "kernels/engine.h"

namespace rightsize {

// Throws EngineError when there is no CUDA device or no plugin beside this binary.
[[nodiscard]] std::unique_ptr<Engine> make_gpu_engine(const Network& network,
                                                      const EngineOptions& options);

}  // namespace rightsize
