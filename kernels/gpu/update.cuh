// What the kernels over all parameters share: where a block finds its chunk.
#pragma once

#include "kernels/gpu/element.cuh"
#include "kernels/gpu/optimizer_kernels.h"

namespace rightsize::gpu {

template <typename T>
__device__ float gradient_at(const UpdateEntry& entry, long long i) {
  return entry.narrow_gradient != 0 ? to_float(static_cast<const T*>(entry.gradient)[i])
                                    : static_cast<const float*>(entry.gradient)[i];
}

__device__ inline long long chunk_end(const UpdateEntry& entry, const UpdateChunk& chunk) {
  const long long end = chunk.first + update_chunk;
  return end < entry.count ? end : entry.count;
}

}  // namespace rightsize::gpu
