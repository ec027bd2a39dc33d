// SGD with momentum and weight decay (Sutskever et al., ICML 2013) over all parameters.
#include "kernels/gpu/update.cuh"

namespace rightsize::gpu {
namespace {

template <typename T>
__global__ void update(const UpdateEntry* entries,
                       const UpdateChunk* chunks,
                       SgdFactors factors,
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
    const float velocity = factors.momentum * entry.moment[i] + gradient + entry.decay * value;
    const float result = value - factors.rate * velocity;
    entry.moment[i] = velocity;
    entry.value[i] = result;
    if (copy != nullptr) {
      copy[i] = from_float<T>(result);
    }
  }
}

}  // namespace

void launch_sgd(const UpdateTables& tables,
                const SgdFactors& factors,
                const StepState* state,
                cudaStream_t stream) {
  dispatch(tables.type, [&](auto element) {
    using T = decltype(element);
    update<T><<<static_cast<unsigned>(tables.chunk_count), block_threads, 0, stream>>>(
        tables.entries, tables.chunks, factors, state);
  });
}

}  // namespace rightsize::gpu
