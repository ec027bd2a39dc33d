// Our own kernels that end a training step: updates over all parameters in one launch, with FP32
// masters and, at 16 bits, the copies the kernels read. As in kernels.h.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/gpu/kernels.h"

namespace rightsize::gpu {

// One learned parameter as the optimizer sees it.
struct UpdateEntry {
  float* value;          // FP32 master
  float* moment;         // SGD's velocity, Adam's mean of gradients
  float* second_moment;  // Adam's mean of their squares; else null
  const void* gradient;
  void* copy;  // what the kernels read, in the compute type; null where that is `value`
  long long count;
  float decay;
  int narrow_gradient;  // the gradient has the compute type, else FP32
};

// Blocks of `update_chunk` values, so that one launch serves large and small parameters alike.
struct UpdateChunk {
  int entry;
  long long first;
};
inline constexpr long long update_chunk = 16384;

struct UpdateTables {
  const UpdateEntry* entries;  // on the device, as are the chunks
  const UpdateChunk* chunks;
  int chunk_count;
  ElementType type;
};

struct SgdFactors {
  float rate;
  float momentum;
};

struct AdamFactors {
  float rate;
  float beta1;
  float beta2;
  float epsilon;
};

// Raises state->overflow if any gradient is not finite (FP16 only).
void launch_overflow_check(const UpdateTables& tables, StepState* state, cudaStream_t stream);
// v = momentum v + (g / loss scale + decay w); w -= rate v; nothing after an overflow.
void launch_sgd(const UpdateTables& tables,
                const SgdFactors& factors,
                const StepState* state,
                cudaStream_t stream);
// AdamW as in kernels/cpu/optimizer.h, its t counting the updates that were not skipped.
void launch_adam(const UpdateTables& tables,
                 const AdamFactors& factors,
                 const StepState* state,
                 cudaStream_t stream);
// Advances the step and, when `dynamic_scale`, the loss scale: halved by an overflow, doubled after
// 2000 good steps (Micikevicius et al., "Mixed Precision Training", ICLR 2018).
void launch_finish_step(StepState* state, bool dynamic_scale, cudaStream_t stream);

}  // namespace rightsize::gpu
