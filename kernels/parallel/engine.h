// Data-parallel training on one machine: as many CPU engines as ranks, each with its share of the
// threads and its part of the batch; gradients are averaged before every rank updates its copy.
#pragma once

#include <memory>

#include "kernels/engine.h"

namespace rightsize {

// `options.batch` is one rank's; a step takes `ranks` times as much. `options.threads` are shared
// out. Phases without a backward pass run the ranks side by side. Throws EngineError, OutOfMemory.
[[nodiscard]] std::unique_ptr<Engine> make_parallel_engine(const Network& network,
                                                           const EngineOptions& options);

}  // namespace rightsize
