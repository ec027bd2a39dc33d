// The numbers of kernels/cpu/random.h on the device: the n-th number of a stream is a function of
// (seed, stream, n). The mixing function is the finaliser of SplitMix64 (Steele, Lea, Flood, 2014).
#pragma once

#include <cuda_runtime.h>

namespace rightsize::gpu {

using Bits = unsigned long long;

__device__ inline Bits mix(Bits x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

__device__ inline Bits stream_key(Bits seed, Bits purpose) {
  return mix(mix(seed) ^ mix(purpose + 0x632be59bd9b4e019ULL));
}

// Uniform in [0, 1), 24 bits.
__device__ inline float uniform(Bits key, Bits n) {
  return static_cast<float>(mix(key ^ n * 0xd1342543de82ef95ULL) >> 40) * 0x1p-24F;
}

// Standard normal by Box and Muller.
__device__ inline float normal(Bits key, Bits n) {
  const float radius = sqrtf(-2.0F * logf(1.0F - uniform(key, 2 * n)));
  return radius * cosf(2.0F * 3.14159265358979323846F * uniform(key, 2 * n + 1));
}

}  // namespace rightsize::gpu
