// What data-parallel ranks do together, each on its own stream: NCCL's operations (nccl.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/gpu/element.h"

namespace rightsize::gpu {

class Collectives {
 public:
  Collectives() = default;
  Collectives(const Collectives&) = delete;
  Collectives& operator=(const Collectives&) = delete;
  virtual ~Collectives() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int ranks() const = 0;

  // What is called between the two may become one launch, and happens at its end.
  virtual void begin() = 0;
  virtual void end() = 0;

  // All ranks call these with the same counts in the same order. In place: the mean over all ranks,
  // on every rank or on `root` alone; what `root` has, to all; what every rank has at its own place
  // of `all` (rank x bytes), to all.
  virtual void all_reduce_mean(void* values, std::int64_t count, ElementType, cudaStream_t) = 0;
  virtual void reduce_mean(
      void* values, std::int64_t count, ElementType, int root, cudaStream_t) = 0;
  virtual void broadcast(void* values, std::int64_t count, ElementType, int root, cudaStream_t) = 0;
  virtual void all_gather(void* all, std::size_t bytes, cudaStream_t) = 0;
};

}  // namespace rightsize::gpu
