// Our own kernels of attention: exact, block by block, with the scores of a block in shared memory
// and made again in the backward pass (Dao et al., "FlashAttention", NeurIPS 2022). All arithmetic
// is FP32 but for the factors of the products, which have the tensors' type.
//
// A sequence is rows of `packed_width` features: the queries of all heads, then the keys of all
// key-value heads, then their values. Queries and keys come turned already (launch_rotate).
#pragma once

#include <cmath>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/gpu/element.h"
#include "kernels/gpu/kernels.h"

namespace rightsize::gpu {

inline constexpr std::int64_t largest_head_dim = 128;

struct AttentionSizes {
  std::int64_t items = 0;
  std::int64_t positions = 0;  // decode: of the cache, a ring where it is smaller than a sequence
  int heads = 0;
  int kv_heads = 0;
  int head_dim = 0;
  bool causal = false;
  float scale = 1;          // of the scores: 1 / sqrt(head_dim)
  std::int64_t window = 0;  // as Layer::window

  [[nodiscard]] __host__ __device__ constexpr int group() const { return heads / kv_heads; }
  [[nodiscard]] __host__ __device__ constexpr std::int64_t packed_width() const {
    return std::int64_t{heads + 2 * kv_heads} * head_dim;
  }
  [[nodiscard]] __host__ __device__ constexpr std::int64_t width() const {
    return std::int64_t{heads} * head_dim;
  }
  // Of a window, the positions before one that it sees, and those behind it.
  [[nodiscard]] __host__ __device__ constexpr std::int64_t before() const {
    return causal ? window - 1 : window / 2;
  }
  [[nodiscard]] __host__ __device__ constexpr std::int64_t behind() const {
    return causal ? 0 : window / 2;
  }
  // Keys that the query at a position sees: from the first on, up to the other.
  [[nodiscard]] __host__ __device__ constexpr std::int64_t first_seen(std::int64_t position) const {
    return window > 0 && position > before() ? position - before() : 0;
  }
  [[nodiscard]] __host__ __device__ constexpr std::int64_t end_seen(std::int64_t position) const {
    const std::int64_t end = position + 1 + behind();
    return (causal || window > 0) && end < positions ? end : positions;
  }
  // The first query that sees a key, and the last one.
  [[nodiscard]] __host__ __device__ constexpr std::int64_t first_seeing(std::int64_t key) const {
    return causal ? key : window > 0 && key > behind() ? key - behind() : 0;
  }
  [[nodiscard]] __host__ __device__ constexpr std::int64_t last_seeing(std::int64_t key) const {
    return window > 0 && key + before() < positions ? key + before() : positions - 1;
  }
  // Where head `h` starts in a packed row.
  [[nodiscard]] __host__ __device__ constexpr std::int64_t query(int h) const {
    return std::int64_t{h} * head_dim;
  }
  [[nodiscard]] __host__ __device__ constexpr std::int64_t key(int h) const {
    return std::int64_t{heads + h} * head_dim;
  }
  [[nodiscard]] __host__ __device__ constexpr std::int64_t value(int h) const {
    return std::int64_t{heads + kv_heads + h} * head_dim;
  }
};

// Turns queries and keys by the rows of `table` (positions x head_dim: cosines, then sines), or
// back; values are copied. `to` may be `from`.
void launch_rotate(const void* from,
                   const float* table,
                   void* to,
                   ElementType type,
                   const AttentionSizes& sizes,
                   bool back,
                   cudaStream_t stream);

// out (items x positions x width) = softmax(q K^T scale) V; `lse` (items x heads x positions) gets
// the log-sum-exp of each row of scores.
void launch_attention(const void* packed,
                      void* out,
                      float* lse,
                      ElementType type,
                      const AttentionSizes& sizes,
                      cudaStream_t stream);

struct AttentionGradients {
  const void* packed;
  const void* out;
  const float* lse;
  const void* dy;  // of out
  float* delta;    // items x heads x positions: scratch, sum of dy out over each row
  void* gradient;  // of packed
};
// With S = q K^T scale and P = e^(S - lse): dV = P^T dO, dP = dO V^T, dS = P (dP - delta) scale,
// dq = dS K, dK = dS^T q. No atomics: one kernel goes by queries, another by keys.
void launch_attention_backward(const AttentionGradients& tensors,
                               ElementType type,
                               const AttentionSizes& sizes,
                               cudaStream_t stream);

// One new position per item against a cache of those before it. Caches are items x kv_heads x
// positions x head_dim, keys turned.
struct DecodeTensors {
  const void* packed;  // items x packed_width: the new queries, keys, values, none of them turned
  const float* table;  // a row of head_dim for each position of a sequence, or null: none turns
  void* keys;
  void* values;
  float* partials;  // decode_partials(sizes) floats
  void* out;        // items x width
};
[[nodiscard]] std::int64_t decode_partials(const AttentionSizes& sizes);
// Appends the new keys and values, in the place of what leaves a full cache, and attends to all
// that it holds then.
void launch_decode_attention(const DecodeTensors& tensors,
                             const StepState* state,
                             ElementType type,
                             const AttentionSizes& sizes,
                             cudaStream_t stream);

}  // namespace rightsize::gpu
