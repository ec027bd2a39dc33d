// Softmax with cross-entropy: loss = mean of log(sum exp(s)) - s[label] over the rows with a label,
// gradient by the scores (softmax - one-hot) / labelled rows. One block counts the labels, then one
// per row makes its share, then one adds them up.
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/kernels.h"

namespace rightsize::gpu {
namespace {

struct Best {
  float value;
  int index;
};

// The larger one; of equals the first, as std::max_element has it.
__device__ Best better(Best a, Best b) {
  return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
}

// All threads of the block get the result of combining their values. blockDim is block_threads.
template <typename Value, typename Combine>
__device__ Value over_block(Value value, Value* shared, Combine combine) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = block_threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
    __syncthreads();
  }
  const Value result = shared[0];
  __syncthreads();
  return result;
}

__global__ void count_labels(const int* labels, std::int64_t rows, StepState* state) {
  __shared__ int shared[block_threads];
  int count = 0;
  for (std::int64_t i = threadIdx.x; i < rows; i += block_threads) {
    count += labels[i] >= 0 ? 1 : 0;
  }
  count = over_block(count, shared, [](int a, int b) { return a + b; });
  if (threadIdx.x == 0) {
    state->labelled = count;
  }
}

template <typename T>
__global__ void softmax_loss(const T* scores,
                             const int* labels,
                             T* gradient,
                             float* losses,
                             float* hits,
                             const StepState* state,
                             int classes) {
  __shared__ Best shared_best[block_threads];
  __shared__ float shared_sum[block_threads];
  const T* const row = scores + std::int64_t{blockIdx.x} * classes;
  const int label = labels[blockIdx.x];  // below zero: none
  Best best{-INFINITY, classes};
  for (int c = static_cast<int>(threadIdx.x); c < classes; c += block_threads) {
    best = better(best, {to_float(row[c]), c});
  }
  best = over_block(best, shared_best, better);
  float sum = 0;
  for (int c = static_cast<int>(threadIdx.x); c < classes; c += block_threads) {
    sum += expf(to_float(row[c]) - best.value);
  }
  sum = over_block(sum, shared_sum, [](float a, float b) { return a + b; });
  const bool labelled = label >= 0;
  if (threadIdx.x == 0) {
    losses[blockIdx.x] = labelled ? logf(sum) - (to_float(row[label]) - best.value) : 0.0F;
    hits[blockIdx.x] = best.index == label ? 1.0F : 0.0F;
  }
  if (gradient == nullptr) {
    return;
  }
  const float scale = labelled ? state->loss_scale / static_cast<float>(state->labelled) : 0.0F;
  T* const out = gradient + std::int64_t{blockIdx.x} * classes;
  for (int c = static_cast<int>(threadIdx.x); c < classes; c += block_threads) {
    const float probability = expf(to_float(row[c]) - best.value) / sum;
    out[c] = from_float<T>((probability - (c == label ? 1.0F : 0.0F)) * scale);
  }
}

__global__ void sum_rows(const float* losses,
                         const float* hits,
                         std::int64_t rows,
                         StepState* state) {
  __shared__ double shared[block_threads];
  double loss = 0;
  double correct = 0;
  for (std::int64_t i = threadIdx.x; i < rows; i += block_threads) {
    loss += losses[i];
    correct += hits[i];
  }
  const auto add = [](double a, double b) { return a + b; };
  loss = over_block(loss, shared, add);
  correct = over_block(correct, shared, add);
  if (threadIdx.x == 0) {
    state->loss = state->labelled > 0 ? static_cast<float>(loss / state->labelled) : 0.0F;
    state->correct = static_cast<int>(correct);
  }
}

}  // namespace

void launch_softmax_loss(const void* scores,
                         const int* labels,
                         void* gradient,
                         float* partials,
                         StepState* state,
                         ElementType type,
                         std::int64_t rows,
                         std::int64_t classes,
                         cudaStream_t stream) {
  float* const hits = partials + rows;
  count_labels<<<1, block_threads, 0, stream>>>(labels, rows, state);
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    softmax_loss<<<static_cast<unsigned>(rows), block_threads, 0, stream>>>(
        static_cast<const T*>(scores),
        labels,
        static_cast<T*>(gradient),
        partials,
        hits,
        state,
        static_cast<int>(classes));
  });
  sum_rows<<<1, block_threads, 0, stream>>>(partials, hits, rows, state);
}

}  // namespace rightsize::gpu
