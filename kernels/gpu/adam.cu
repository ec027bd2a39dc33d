// AdamW (Loshchilov and Hutter, ICLR 2019, algorithm 2) over all parameters; the arithmetic of
// kernels/cpu/optimizer.cpp.
#include <cmath>

#include "kernels/gpu/update.cuh"

namespace rightsize::gpu {
namespace {

struct Decays {
  float log_beta1;
  float log_beta2;
};

template <typename T>
__global__ void update(const UpdateEntry* entries,
                       const UpdateChunk* chunks,
                       AdamFactors factors,
                       Decays decays,
                       const StepState* state) {
  if (state->overflow != 0) {
    return;
  }
  const auto chunk = chunks[blockIdx.x];
  const auto entry = entries[chunk.entry];
  // 1 - beta^t, without the loss of digits that FP32 powers close to 1 would bring
  const auto t = static_cast<float>(state->updates + 1);
  const float rate = factors.rate / -expm1f(t * decays.log_beta1);
  const float root = rsqrtf(-expm1f(t * decays.log_beta2));
  const float kept_of_value = 1.0F - factors.rate * entry.decay;
  const float unscale = 1.0F / state->loss_scale;
  auto* const copy = static_cast<T*>(entry.copy);
  for (long long i = chunk.first + threadIdx.x; i < chunk_end(entry, chunk); i += blockDim.x) {
    const float g = gradient_at<T>(entry, i) * unscale;
    const float mean = factors.beta1 * entry.moment[i] + (1.0F - factors.beta1) * g;
    const float square = factors.beta2 * entry.second_moment[i] + (1.0F - factors.beta2) * g * g;
    const float result =
        kept_of_value * entry.value[i] - rate * mean / (sqrtf(square) * root + factors.epsilon);
    entry.moment[i] = mean;
    entry.second_moment[i] = square;
    entry.value[i] = result;
    if (copy != nullptr) {
      copy[i] = from_float<T>(result);
    }
  }
}

float log_of(float beta) {
  return static_cast<float>(std::log(static_cast<double>(beta)));
}

}  // namespace

void launch_adam(const UpdateTables& tables,
                 const AdamFactors& factors,
                 const StepState* state,
                 cudaStream_t stream) {
  const Decays decays{log_of(factors.beta1), log_of(factors.beta2)};
  dispatch(tables.type, [&](auto element) {
    using T = decltype(element);
    update<T><<<static_cast<unsigned>(tables.chunk_count), block_threads, 0, stream>>>(
        tables.entries, tables.chunks, factors, decays, state);
  });
}

}  // namespace rightsize::gpu
