// The gradients of attention, from the log-sum-exp of each row of scores.
#include "kernels/gpu/attention.cuh"

namespace rightsize::gpu {
namespace {

// Rows that a block has for itself, of two kinds, and rows it takes at a time, of two kinds again.
template <typename T, int D>
struct Tiles {
  using Element = T;
  static constexpr int depth = D;
  static constexpr int rows = D == 64 ? (sizeof(T) == 2 ? 64 : 32) : (sizeof(T) == 2 ? 32 : 16);
  static constexpr int columns = sizeof(T) == 2 || D == 64 ? 32 : 16;
};

// delta = sum of dy out over each row of each head: one warp each.
template <typename T>
__global__ void sum_products(
    const T* out, const T* dy, float* delta, AttentionSizes sizes, std::int64_t count) {
  const std::int64_t i =
      std::int64_t{blockIdx.x} * (block_threads / warp_threads) + threadIdx.x / warp_threads;
  if (i >= count) {
    return;
  }
  const std::int64_t row = i / sizes.heads;
  const std::int64_t head = i % sizes.heads;
  const std::int64_t at = row * sizes.width() + head * sizes.head_dim;
  float sum = 0;
  for (int c = static_cast<int>(threadIdx.x % warp_threads); c < sizes.head_dim;
       c += warp_threads) {
    sum += to_float(out[at + c]) * to_float(dy[at + c]);
  }
  sum = warp_sum(sum);
  if (threadIdx.x % warp_threads == 0) {
    const std::int64_t item = row / sizes.positions;
    delta[(item * sizes.heads + head) * sizes.positions + row % sizes.positions] = sum;
  }
}

// What both kernels read and write, of one item and head.
template <typename T>
struct Head {
  __device__ Head(const AttentionGradients& tensors,
                  const AttentionSizes& sizes,
                  std::int64_t item,
                  int head)
      : width(sizes.packed_width()), out_width(sizes.width()) {
    const int kv = head / sizes.group();
    const std::int64_t rows = item * sizes.positions;
    const T* const packed = static_cast<const T*>(tensors.packed) + rows * width;
    T* const gradient = static_cast<T*>(tensors.gradient) + rows * width;
    query = packed + sizes.query(head);
    key = packed + sizes.key(kv);
    value = packed + sizes.value(kv);
    dy = static_cast<const T*>(tensors.dy) + rows * out_width + sizes.query(head);
    query_gradient = gradient + sizes.query(head);
    key_gradient = gradient + sizes.key(kv);
    value_gradient = gradient + sizes.value(kv);
    lse = tensors.lse + (item * sizes.heads + head) * sizes.positions;
    delta = tensors.delta + (item * sizes.heads + head) * sizes.positions;
  }

  std::int64_t width, out_width;
  const T *query, *key, *value, *dy;
  T *query_gradient, *key_gradient, *value_gradient;
  const float *lse, *delta;
};

// A block has some queries and goes through the keys they see.
template <typename Config>
__global__ void query_gradients(AttentionGradients tensors, AttentionSizes sizes) {
  using T = typename Config::Element;
  constexpr int rows = Config::rows;
  constexpr int columns = Config::columns;
  constexpr int depth = Config::depth;
  __shared__ __align__(32) T queries[rows][depth + row_padding];
  __shared__ __align__(32) T arriving[rows][depth + row_padding];
  __shared__ __align__(32) T keys[columns][depth + row_padding];
  __shared__ __align__(32) T values[columns][depth + row_padding];
  __shared__ __align__(32) float scores[rows][columns + score_padding];
  __shared__ __align__(32) T shares[rows][columns + row_padding];
  using Half = HalfRow<columns>;

  const Head<T> head(tensors, sizes, blockIdx.z, static_cast<int>(blockIdx.y));
  const std::int64_t first = std::int64_t{gridDim.x - 1 - blockIdx.x} * rows;  // the longest first
  const std::int64_t rest = sizes.positions - first;
  const std::int64_t seen = sizes.causal && rows < rest ? first + rows : sizes.positions;
  const int strip = static_cast<int>(threadIdx.x / warp_threads) * tile;
  const int row = strip + Half::row();
  const bool exists = row < rest;
  const std::int64_t last = sizes.causal ? first + row : sizes.positions - 1;
  const float level = exists ? head.lse[first + row] : 0.0F;
  const float delta = exists ? head.delta[first + row] : 0.0F;

  HeadRows<T, rows, depth>{queries}.load(
      head.query + first * head.width, head.width, rest, sizes.head_dim);
  HeadRows<T, rows, depth>{arriving}.load(
      head.dy + first * head.out_width, head.out_width, rest, sizes.head_dim);
  StripSum<T, columns, depth> sum;
  sum.clear();
  for (std::int64_t begin = 0; begin < seen; begin += columns) {
    const std::int64_t there = sizes.positions - begin;
    __syncthreads();
    HeadRows<T, columns, depth>{keys}.load(
        head.key + begin * head.width, head.width, there, sizes.head_dim);
    HeadRows<T, columns, depth>{values}.load(
        head.value + begin * head.width, head.width, there, sizes.head_dim);
    __syncthreads();
    multiply_by_rows<T, columns, depth>(queries[strip], keys[0], scores[strip]);
    __syncwarp();
    float share[Half::count];
#pragma unroll
    for (int i = 0; i < Half::count; ++i) {
      const int c = Half::first() + i;
      const bool visible = exists && c < there && begin + c <= last;
      share[i] = visible ? expf(scores[row][c] * sizes.scale - level) : 0.0F;
    }
    __syncwarp();
    multiply_by_rows<T, columns, depth>(arriving[strip], values[0], scores[strip]);
    __syncwarp();
#pragma unroll
    for (int i = 0; i < Half::count; ++i) {
      const int c = Half::first() + i;
      shares[row][c] = from_float<T>(share[i] * (scores[row][c] - delta) * sizes.scale);
    }
    __syncwarp();
    sum.add(shares[strip], keys[0]);
  }
  sum.write(scores[strip],
            head.query_gradient + (first + strip) * head.width,
            head.width,
            rest - strip,
            sizes.head_dim);
}

// A block has some keys and their values, and goes through the queries that see them, of all heads
// that share them.
template <typename Config>
__global__ void key_value_gradients(AttentionGradients tensors, AttentionSizes sizes) {
  using T = typename Config::Element;
  constexpr int rows = Config::rows;
  constexpr int columns = Config::columns;
  constexpr int depth = Config::depth;
  __shared__ __align__(32) T keys[rows][depth + row_padding];
  __shared__ __align__(32) T values[rows][depth + row_padding];
  __shared__ __align__(32) T queries[columns][depth + row_padding];
  __shared__ __align__(32) T arriving[columns][depth + row_padding];
  __shared__ __align__(32) float scores[rows][columns + score_padding];
  __shared__ __align__(32) T shares[rows][columns + row_padding];
  using Half = HalfRow<columns>;

  const int first_head = static_cast<int>(blockIdx.y) * sizes.group();
  const Head<T> owner(tensors, sizes, blockIdx.z, first_head);
  const std::int64_t first = std::int64_t{blockIdx.x} * rows;
  const std::int64_t rest = sizes.positions - first;
  const int strip = static_cast<int>(threadIdx.x / warp_threads) * tile;
  const int row = strip + Half::row();

  HeadRows<T, rows, depth>{keys}.load(
      owner.key + first * owner.width, owner.width, rest, sizes.head_dim);
  HeadRows<T, rows, depth>{values}.load(
      owner.value + first * owner.width, owner.width, rest, sizes.head_dim);
  StripSum<T, columns, depth> key_sum;
  StripSum<T, columns, depth> value_sum;
  key_sum.clear();
  value_sum.clear();
  const std::int64_t start = sizes.causal ? first / columns * columns : 0;
  for (int member = 0; member < sizes.group(); ++member) {
    const Head<T> head(tensors, sizes, blockIdx.z, first_head + member);
    for (std::int64_t begin = start; begin < sizes.positions; begin += columns) {
      const std::int64_t there = sizes.positions - begin;
      __syncthreads();
      HeadRows<T, columns, depth>{queries}.load(
          head.query + begin * head.width, head.width, there, sizes.head_dim);
      HeadRows<T, columns, depth>{arriving}.load(
          head.dy + begin * head.out_width, head.out_width, there, sizes.head_dim);
      __syncthreads();
      multiply_by_rows<T, columns, depth>(keys[strip], queries[0], scores[strip]);
      __syncwarp();
      float share[Half::count];
#pragma unroll
      for (int i = 0; i < Half::count; ++i) {
        const int c = Half::first() + i;
        const bool sees = c < there && row < rest && (!sizes.causal || first + row <= begin + c);
        share[i] = sees ? expf(scores[row][c] * sizes.scale - head.lse[begin + c]) : 0.0F;
        shares[row][c] = from_float<T>(share[i]);
      }
      __syncwarp();
      value_sum.add(shares[strip], arriving[0]);
      multiply_by_rows<T, columns, depth>(values[strip], arriving[0], scores[strip]);
      __syncwarp();
#pragma unroll
      for (int i = 0; i < Half::count; ++i) {
        const int c = Half::first() + i;
        const float delta = c < there ? head.delta[begin + c] : 0.0F;
        shares[row][c] = from_float<T>(share[i] * (scores[row][c] - delta) * sizes.scale);
      }
      __syncwarp();
      key_sum.add(shares[strip], queries[0]);
    }
  }
  const std::int64_t at = (first + strip) * owner.width;
  const auto exist = rest - strip;
  key_sum.write(scores[strip], owner.key_gradient + at, owner.width, exist, sizes.head_dim);
  value_sum.write(scores[strip], owner.value_gradient + at, owner.width, exist, sizes.head_dim);
}

}  // namespace

void launch_attention_backward(const AttentionGradients& tensors,
                               ElementType type,
                               const AttentionSizes& sizes,
                               cudaStream_t stream) {
  const auto rows = sizes.items * sizes.positions * sizes.heads;
  constexpr std::int64_t warps = block_threads / warp_threads;
  const auto blocks = static_cast<unsigned>((rows + warps - 1) / warps);
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    sum_products<<<blocks, block_threads, 0, stream>>>(static_cast<const T*>(tensors.out),
                                                       static_cast<const T*>(tensors.dy),
                                                       tensors.delta,
                                                       sizes,
                                                       rows);
  });
  dispatch_tiles<Tiles>(type, sizes.head_dim, [&](auto tiles) {
    using Config = decltype(tiles);
    const auto parts = static_cast<unsigned>((sizes.positions + Config::rows - 1) / Config::rows);
    const auto items = static_cast<unsigned>(sizes.items);
    constexpr unsigned threads = Config::rows / tile * warp_threads;
    const dim3 by_queries(parts, static_cast<unsigned>(sizes.heads), items);
    query_gradients<Config><<<by_queries, threads, 0, stream>>>(tensors, sizes);
    const dim3 by_keys(parts, static_cast<unsigned>(sizes.kv_heads), items);
    key_value_gradients<Config><<<by_keys, threads, 0, stream>>>(tensors, sizes);
  });
}

}  // namespace rightsize::gpu
