#include "kernels/gpu/element.cuh"
#include "kernels/gpu/noise.h"
#include "kernels/gpu/random.cuh"

namespace rightsize::gpu {
namespace {

template <typename T>
__global__ void fill(T* out, NoiseShape shape, float constant, float deviation, Bits key) {
  const std::int64_t count = shape.k * shape.c * shape.area;
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const std::int64_t c = i % shape.c;
    const std::int64_t position = i / shape.c;
    const std::int64_t at = position % shape.area;
    const std::int64_t index = ((position / shape.area) * shape.c + c) * shape.area + at;
    const float noise = deviation > 0 ? deviation * normal(key, static_cast<Bits>(index)) : 0.0F;
    out[i] = from_float<T>(constant + noise);
  }
}

}  // namespace

void launch_noise(void* out,
                  ElementType type,
                  const NoiseShape& shape,
                  float constant,
                  float deviation,
                  std::uint64_t key,
                  cudaStream_t stream) {
  const auto blocks = blocks_for(shape.k * shape.c * shape.area);
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    fill<<<blocks, block_threads, 0, stream>>>(
        static_cast<T*>(out), shape, constant, deviation, key);
  });
}

}  // namespace rightsize::gpu
