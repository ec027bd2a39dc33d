// What parameters are before training: made on the device, where billions take no time.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/gpu/element.h"

namespace rightsize::gpu {

// k blocks of area x c values on the device, which the program knows as c x area.
struct NoiseShape {
  std::int64_t k = 0;
  std::int64_t c = 1;
  std::int64_t area = 1;
};

// constant + deviation x the stream's normal numbers, in the program's order: the CPU engine's, up
// to the last bits of logarithm and cosine.
void launch_noise(void* out,
                  ElementType type,
                  const NoiseShape& shape,
                  float constant,
                  float deviation,
                  std::uint64_t key,
                  cudaStream_t stream);

}  // namespace rightsize::gpu
