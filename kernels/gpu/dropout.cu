// Srivastava et al., JMLR 2014, scaled while training. The numbers are those of
// kernels/cpu/random.h (the finaliser of SplitMix64), so both engines drop the same features of a
// linear layer.
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/kernels.h"

namespace rightsize::gpu {
namespace {

using Bits = unsigned long long;

__device__ Bits mix(Bits x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

__device__ Bits stream_key(Bits seed, Bits purpose) {
  return mix(mix(seed) ^ mix(purpose + 0x632be59bd9b4e019ULL));
}

// Uniform in [0, 1), 24 bits.
__device__ float uniform(Bits key, Bits n) {
  return static_cast<float>(mix(key ^ n * 0xd1342543de82ef95ULL) >> 40) * 0x1p-24F;
}

template <typename T>
__global__ void drop(
    const T* from, T* to, std::int64_t count, float rate, Bits seed, const StepState* state) {
  const Bits key = stream_key(seed, state->step);
  const float scale = 1.0F / (1.0F - rate);
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    const bool kept = uniform(key, static_cast<Bits>(i)) >= rate;
    to[i] = from_float<T>(kept ? to_float(from[i]) * scale : 0.0F);
  }
}

}  // namespace

void launch_dropout(const void* from,
                    void* to,
                    ElementType type,
                    std::int64_t count,
                    float rate,
                    std::uint64_t seed,
                    const StepState* state,
                    cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    drop<<<blocks_for(count), block_threads, 0, stream>>>(
        static_cast<const T*>(from), static_cast<T*>(to), count, rate, seed, state);
  });
}

}  // namespace rightsize::gpu
