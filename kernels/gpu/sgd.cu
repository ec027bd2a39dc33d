// SGD with momentum and weight decay (Sutskever et al., ICML 2013) over all parameters in one
// launch, with FP32 masters and, at 16 bits, the copies the kernels read.
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/kernels.h"

namespace rightsize::gpu {
namespace {

constexpr int growth_interval = 2000;  // good steps before the loss scale doubles
constexpr float largest_scale = 65536.0F * 65536.0F;

template <typename T>
__device__ float gradient_at(const SgdEntry& entry, long long i) {
  return entry.narrow_gradient != 0 ? to_float(static_cast<const T*>(entry.gradient)[i])
                                    : static_cast<const float*>(entry.gradient)[i];
}

__device__ long long chunk_end(const SgdEntry& entry, const SgdChunk& chunk) {
  const long long end = chunk.first + sgd_chunk;
  return end < entry.count ? end : entry.count;
}

template <typename T>
__global__ void check_finite(const SgdEntry* entries, const SgdChunk* chunks, StepState* state) {
  const auto chunk = chunks[blockIdx.x];
  const auto entry = entries[chunk.entry];
  bool finite = true;
  for (long long i = chunk.first + threadIdx.x; i < chunk_end(entry, chunk); i += blockDim.x) {
    finite = finite && isfinite(gradient_at<T>(entry, i));
  }
  if (!finite) {
    state->overflow = 1;  // every writer writes the same
  }
}

template <typename T>
__global__ void update(const SgdEntry* entries,
                       const SgdChunk* chunks,
                       float rate,
                       float momentum,
                       const StepState* state) {
  if (state->overflow != 0) {
    return;
  }
  const auto chunk = chunks[blockIdx.x];
  const auto entry = entries[chunk.entry];
  const float unscale = 1.0F / state->loss_scale;
  auto* const copy = static_cast<T*>(entry.copy);
  for (long long i = chunk.first + threadIdx.x; i < chunk_end(entry, chunk); i += blockDim.x) {
    const float value = entry.value[i];
    const float gradient = gradient_at<T>(entry, i) * unscale;
    const float velocity = momentum * entry.velocity[i] + gradient + entry.decay * value;
    const float result = value - rate * velocity;
    entry.velocity[i] = velocity;
    entry.value[i] = result;
    if (copy != nullptr) {
      copy[i] = from_float<T>(result);
    }
  }
}

__global__ void finish_step(StepState* state, bool dynamic_scale) {
  ++state->step;
  state->last_overflow = state->overflow;
  if (dynamic_scale && state->overflow != 0) {
    state->loss_scale = fmaxf(state->loss_scale / 2, 1.0F);
    state->good_steps = 0;
  } else if (dynamic_scale && ++state->good_steps == growth_interval) {
    state->loss_scale = fminf(state->loss_scale * 2, largest_scale);
    state->good_steps = 0;
  }
  state->overflow = 0;
}

}  // namespace

void launch_overflow_check(const SgdLaunch& launch, StepState* state, cudaStream_t stream) {
  dispatch(launch.type, [&](auto element) {
    using T = decltype(element);
    check_finite<T><<<static_cast<unsigned>(launch.chunk_count), block_threads, 0, stream>>>(
        launch.entries, launch.chunks, state);
  });
}

void launch_sgd(const SgdLaunch& launch, const StepState* state, cudaStream_t stream) {
  dispatch(launch.type, [&](auto element) {
    using T = decltype(element);
    update<T><<<static_cast<unsigned>(launch.chunk_count), block_threads, 0, stream>>>(
        launch.entries, launch.chunks, launch.rate, launch.momentum, state);
  });
}

void launch_finish_step(StepState* state, bool dynamic_scale, cudaStream_t stream) {
  finish_step<<<1, 1, 0, stream>>>(state, dynamic_scale);
}

}  // namespace rightsize::gpu
