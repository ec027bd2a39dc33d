// What surrounds an update: the search for gradients that are not finite, and the count of steps.
#include "kernels/gpu/update.cuh"

namespace rightsize::gpu {
namespace {

constexpr int growth_interval = 2000;  // good steps before the loss scale doubles
constexpr float largest_scale = 65536.0F * 65536.0F;

template <typename T>
__global__ void check_finite(const UpdateEntry* entries,
                             const UpdateChunk* chunks,
                             StepState* state) {
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

__global__ void finish_step(StepState* state, bool dynamic_scale) {
  ++state->step;
  state->updates += state->overflow == 0 ? 1 : 0;
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

void launch_overflow_check(const UpdateTables& tables, StepState* state, cudaStream_t stream) {
  dispatch(tables.type, [&](auto element) {
    using T = decltype(element);
    check_finite<T><<<static_cast<unsigned>(tables.chunk_count), block_threads, 0, stream>>>(
        tables.entries, tables.chunks, state);
  });
}

void launch_finish_step(StepState* state, bool dynamic_scale, cudaStream_t stream) {
  finish_step<<<1, 1, 0, stream>>>(state, dynamic_scale);
}

}  // namespace rightsize::gpu
