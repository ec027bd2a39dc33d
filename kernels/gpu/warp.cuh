// What the 32 threads of a warp have together.
#pragma once

#include <cuda_runtime.h>

namespace rightsize::gpu {

inline constexpr int warp_threads = 32;
inline constexpr unsigned whole_warp = 0xffffffffU;

// Every thread gets the sum of all.
__device__ inline float warp_sum(float value) {
  for (int distance = warp_threads / 2; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(whole_warp, value, distance);
  }
  return value;
}

__device__ inline float warp_max(float value) {
  for (int distance = warp_threads / 2; distance > 0; distance /= 2) {
    value = fmaxf(value, __shfl_xor_sync(whole_warp, value, distance));
  }
  return value;
}

}  // namespace rightsize::gpu
