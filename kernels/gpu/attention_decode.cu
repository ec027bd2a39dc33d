// Attention of one new position per item over a cache: bound by reading the cache, so the query
// heads that share a key-value head go through it together, and blocks share out the positions.
#include "kernels/gpu/attention_kernels.h"
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/warp.cuh"

namespace rightsize::gpu {
namespace {

constexpr int part_positions = 128;  // of the cache, for one block
constexpr int part_threads = 128;    // as many as the largest head has features
constexpr int part_warps = part_threads / warp_threads;
constexpr int members = 8;  // query heads that a block takes through the cache at a time
static_assert(part_threads >= largest_head_dim);

std::int64_t parts_of(const AttentionSizes& sizes) {
  return (sizes.positions + part_positions - 1) / part_positions;
}

// Feature c of a head, turned where there is a table; `turn` is the table's row.
template <typename T>
__device__ float turned(const T* head, const float* turn, int c, int head_dim) {
  const float value = to_float(head[c]);
  if (turn == nullptr) {
    return value;
  }
  const int half = head_dim / 2;
  const int feature = c % half;
  const float other = to_float(head[c < half ? c + half : c - half]);
  return value * turn[feature] + (c < half ? -other : other) * turn[half + feature];
}

__device__ const float* turn_of(const DecodeTensors& tensors,
                                const AttentionSizes& sizes,
                                int position) {
  return tensors.table == nullptr ? nullptr
                                  : tensors.table + std::int64_t{position} * sizes.head_dim;
}

// Positions in the cache, the new one among them.
__device__ int held_of(const AttentionSizes& sizes, int position) {
  return position < sizes.positions ? position + 1 : static_cast<int>(sizes.positions);
}

// One block per key-value head and item.
template <typename T>
__global__ void append(DecodeTensors tensors, const StepState* state, AttentionSizes sizes) {
  const int kv_head = static_cast<int>(blockIdx.x);
  const std::int64_t item = blockIdx.y;
  const int c = static_cast<int>(threadIdx.x);
  if (c >= sizes.head_dim) {
    return;
  }
  const int position = state->position;
  const std::int64_t slot = position % sizes.positions;
  const T* const row = static_cast<const T*>(tensors.packed) + item * sizes.packed_width();
  const std::int64_t at =
      ((item * sizes.kv_heads + kv_head) * sizes.positions + slot) * sizes.head_dim + c;
  const float* const turn = turn_of(tensors, sizes, position);
  static_cast<T*>(tensors.keys)[at] =
      from_float<T>(turned(row + sizes.key(kv_head), turn, c, sizes.head_dim));
  static_cast<T*>(tensors.values)[at] = row[sizes.value(kv_head) + c];
}

// What a part leaves behind for one head: its largest score, the sum of e^(score - largest), and
// head_dim weighted sums.
struct Part {
  float* at;
  __device__ float& largest() const { return at[0]; }
  __device__ float& sum() const { return at[1]; }
  __device__ float* weighted() const { return at + 2; }
};

__device__ Part part_of(const DecodeTensors& tensors,
                        const AttentionSizes& sizes,
                        std::int64_t item,
                        int head,
                        int part) {
  const std::int64_t parts = (sizes.positions + part_positions - 1) / part_positions;
  const std::int64_t index = (item * sizes.heads + head) * parts + part;
  return {tensors.partials + index * (sizes.head_dim + 2)};
}

// A part of the cache of one key-value head and item, for some of the query heads that share it.
template <typename T>
class CachePart {
 public:
  __device__ CachePart(const DecodeTensors& tensors,
                       const AttentionSizes& sizes,
                       int position,
                       float (&queries)[members][part_threads],
                       float (&scores)[members][part_positions])
      : tensors_(tensors),
        sizes_(sizes),
        position_(position),
        held_(held_of(sizes, position)),
        first_(static_cast<int>(blockIdx.x) * part_positions),
        queries_(queries),
        scores_(scores) {
    const std::int64_t head = std::int64_t{blockIdx.z} * sizes.kv_heads + blockIdx.y;
    const std::int64_t cache = (head * sizes.positions + first_) * sizes.head_dim;
    keys_ = static_cast<const T*>(tensors.keys) + cache;
    values_ = static_cast<const T*>(tensors.values) + cache;
  }

  [[nodiscard]] __device__ bool is_empty() const { return first_ >= held_; }

  // `taken` query heads from `head` on.
  __device__ void attend(int head, int taken) {
    __syncthreads();
    load_queries(head, taken);
    __syncthreads();
    score_keys(taken);
    __syncthreads();
    exponentiate(head, taken);
    __syncthreads();
    sum_values(head, taken);
  }

 private:
  [[nodiscard]] __device__ int count() const {
    const int there = held_ - first_;
    return there < part_positions ? there : part_positions;
  }
  [[nodiscard]] static __device__ int thread() { return static_cast<int>(threadIdx.x); }
  [[nodiscard]] static __device__ int lane() { return thread() % warp_threads; }
  [[nodiscard]] static __device__ int warp() { return thread() / warp_threads; }
  [[nodiscard]] __device__ Part part(int head) const {
    return part_of(tensors_, sizes_, blockIdx.z, head, static_cast<int>(blockIdx.x));
  }

  __device__ void load_queries(int head, int taken) {
    const T* const row =
        static_cast<const T*>(tensors_.packed) + blockIdx.z * sizes_.packed_width();
    const float* const turn = turn_of(tensors_, sizes_, position_);
    for (int m = 0; m < taken && thread() < sizes_.head_dim; ++m) {
      queries_[m][thread()] =
          turned(row + sizes_.query(head + m), turn, thread(), sizes_.head_dim) * sizes_.scale;
    }
  }

  // One warp per position.
  __device__ void score_keys(int taken) {
    for (int t = warp(); t < count(); t += part_warps) {
      float products[members] = {};
      for (int c = lane(); c < sizes_.head_dim; c += warp_threads) {
        const float key = to_float(keys_[std::int64_t{t} * sizes_.head_dim + c]);
#pragma unroll
        for (int m = 0; m < members; ++m) {
          products[m] += m < taken ? queries_[m][c] * key : 0.0F;
        }
      }
#pragma unroll
      for (int m = 0; m < members; ++m) {
        const float score = warp_sum(products[m]);
        if (lane() == 0 && m < taken) {
          scores_[m][t] = score;
        }
      }
    }
  }

  // One warp per head.
  __device__ void exponentiate(int head, int taken) {
    for (int m = warp(); m < taken; m += part_warps) {
      float largest = -INFINITY;
      for (int t = lane(); t < count(); t += warp_threads) {
        largest = fmaxf(largest, scores_[m][t]);
      }
      largest = warp_max(largest);
      float sum = 0;
      for (int t = lane(); t < count(); t += warp_threads) {
        scores_[m][t] = expf(scores_[m][t] - largest);
        sum += scores_[m][t];
      }
      sum = warp_sum(sum);
      if (lane() == 0) {
        part(head + m).largest() = largest;
        part(head + m).sum() = sum;
      }
    }
  }

  // One thread per feature.
  __device__ void sum_values(int head, int taken) {
    if (thread() >= sizes_.head_dim) {
      return;
    }
    float sums[members] = {};
    for (int t = 0; t < count(); ++t) {
      const float value = to_float(values_[std::int64_t{t} * sizes_.head_dim + thread()]);
#pragma unroll
      for (int m = 0; m < members; ++m) {
        sums[m] += m < taken ? scores_[m][t] * value : 0.0F;
      }
    }
#pragma unroll
    for (int m = 0; m < members; ++m) {
      if (m < taken) {
        part(head + m).weighted()[thread()] = sums[m];
      }
    }
  }

  const DecodeTensors& tensors_;
  const AttentionSizes& sizes_;
  int position_, held_, first_;
  float (&queries_)[members][part_threads];
  float (&scores_)[members][part_positions];
  const T *keys_, *values_;
};

// One block per part of the cache, key-value head and item.
template <typename T>
__global__ void attend_part(DecodeTensors tensors, const StepState* state, AttentionSizes sizes) {
  __shared__ float queries[members][part_threads];
  __shared__ float scores[members][part_positions];
  CachePart<T> part(tensors, sizes, state->position, queries, scores);
  if (part.is_empty()) {
    return;
  }
  const int head = static_cast<int>(blockIdx.y) * sizes.group();
  for (int begin = 0; begin < sizes.group(); begin += members) {
    const int rest = sizes.group() - begin;
    part.attend(head + begin, rest < members ? rest : members);
  }
}

// One block per head and item.
template <typename T>
__global__ void combine_parts(DecodeTensors tensors, const StepState* state, AttentionSizes sizes) {
  const int head = static_cast<int>(blockIdx.x);
  const std::int64_t item = blockIdx.y;
  const int c = static_cast<int>(threadIdx.x);
  if (c >= sizes.head_dim) {
    return;
  }
  const int parts = (held_of(sizes, state->position) - 1) / part_positions + 1;
  float largest = -INFINITY;
  for (int part = 0; part < parts; ++part) {
    largest = fmaxf(largest, part_of(tensors, sizes, item, head, part).largest());
  }
  float sum = 0;
  float weighted = 0;
  for (int part = 0; part < parts; ++part) {
    const auto found = part_of(tensors, sizes, item, head, part);
    const float weight = expf(found.largest() - largest);
    sum += weight * found.sum();
    weighted += weight * found.weighted()[c];
  }
  static_cast<T*>(tensors.out)[item * sizes.width() + sizes.query(head) + c] =
      from_float<T>(weighted / sum);
}

}  // namespace

std::int64_t decode_partials(const AttentionSizes& sizes) {
  return sizes.items * sizes.heads * parts_of(sizes) * (sizes.head_dim + 2);
}

void launch_decode_attention(const DecodeTensors& tensors,
                             const StepState* state,
                             ElementType type,
                             const AttentionSizes& sizes,
                             cudaStream_t stream) {
  const auto items = static_cast<unsigned>(sizes.items);
  const auto kv_heads = static_cast<unsigned>(sizes.kv_heads);
  const dim3 parts(static_cast<unsigned>(parts_of(sizes)), kv_heads, items);
  const dim3 heads(static_cast<unsigned>(sizes.heads), items);
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    append<T><<<dim3(kv_heads, items), part_threads, 0, stream>>>(tensors, state, sizes);
    attend_part<T><<<parts, part_threads, 0, stream>>>(tensors, state, sizes);
    combine_parts<T><<<heads, part_threads, 0, stream>>>(tensors, state, sizes);
  });
}

}  // namespace rightsize::gpu
