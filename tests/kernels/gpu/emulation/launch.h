// Runs a kernel on the host: blocks one after another in random order, and the threads of a block
// as fibers, in random order from one barrier to the next. So barriers and shuffles are real ones,
// and a kernel that lacks one reads what is not there yet (shared memory starts as NaN). An order
// follows from the seed alone.
//
// Throws EmulationError with the launch, the block and the places in the source where
// - the launch is one that CUDA refuses (empty, too many threads or blocks, too much shared
// memory);
// - a barrier is not reached by all threads of the block, or not at the same place;
// - a shuffle or vote is not reached by all lanes of its mask, or reads a lane outside it;
// - a block writes beyond its shared variables.
// It does not see races between blocks or between the lanes of a warp, nor speed; its arithmetic is
// the host's (no fused multiply-add, other exp and tanh).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>

#include <cuda_runtime_api.h>

#include "kernels/gpu/emulation/error.h"

namespace rightsize::emulation {

struct LaunchShape {
  dim3 grid;
  dim3 block;
  std::size_t dynamic_shared_bytes = 0;
  cudaStream_t stream = nullptr;  // everything runs at once
};

// The order of the launches that follow on this thread; each takes the next one.
void set_seed(std::uint64_t seed);

void launch(const LaunchShape& shape,
            const std::function<void()>& thread_body,
            std::source_location where = std::source_location::current());

// How many blocks were run on this thread so far, for tests to see that a kernel really ran.
[[nodiscard]] std::uint64_t blocks_run();

}  // namespace rightsize::emulation
