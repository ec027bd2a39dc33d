// Srivastava et al., JMLR 2014, scaled while training. The numbers are those of
// kernels/cpu/random.h (the finaliser of SplitMix64), so both engines drop the same features of a
// linear layer.
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/kernels.h"
#include "kernels/gpu/random.cuh"

namespace rightsize::gpu {
namespace {

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
