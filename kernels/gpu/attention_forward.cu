// Goes through the keys twice: once for the log-sum-exp of each row of scores, once for the
// weighted sum. So the sums never need to be scaled again, and stay in the registers of the tensor
// cores.
#include "kernels/gpu/attention.cuh"

namespace rightsize::gpu {
namespace {

// Queries of a block, and keys that it takes at a time, such that shared memory holds them.
template <typename T, int D>
struct Tiles {
  using Element = T;
  static constexpr int depth = D;
  static constexpr int rows = sizeof(T) == 2 ? 64 : (D == 64 ? 32 : 16);
  static constexpr int columns = sizeof(T) == 2 || D == 64 ? 32 : 16;
};

// The maximum of a row and the sum of e^(score - maximum), of the scores seen so far.
struct RowSum {
  float largest = -INFINITY;
  float sum = 0;

  // Both halves of the row come with the same state and leave with the same.
  template <int N>
  __device__ void add(const float (&scores)[N]) {
    float most = largest;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      most = fmaxf(most, scores[i]);
    }
    most = fmaxf(most, __shfl_xor_sync(whole_warp, most, 1));
    float more = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      more += expf(scores[i] - most);
    }
    more += __shfl_xor_sync(whole_warp, more, 1);
    sum = sum * expf(largest - most) + more;
    largest = most;
  }
  __device__ float log_sum_exp() const {
    return largest + logf(sum);
  }
};

template <typename Config>
__global__ void attend(const typename Config::Element* packed,
                       typename Config::Element* out,
                       float* lse,
                       AttentionSizes sizes) {
  using T = typename Config::Element;
  constexpr int rows = Config::rows;
  constexpr int columns = Config::columns;
  constexpr int depth = Config::depth;
  __shared__ __align__(32) T queries[rows][depth + row_padding];
  __shared__ __align__(32) T keys[columns][depth + row_padding];
  __shared__ __align__(32) T values[columns][depth + row_padding];
  __shared__ __align__(32) float scores[rows][columns + score_padding];
  __shared__ __align__(32) T shares[rows][columns + row_padding];
  using Half = HalfRow<columns>;

  const int block = static_cast<int>(gridDim.x - 1 - blockIdx.x);  // the longest first
  const int head = static_cast<int>(blockIdx.y);
  const std::int64_t item = blockIdx.z;
  const std::int64_t first = std::int64_t{block} * rows;
  const std::int64_t width = sizes.packed_width();
  const T* const rows_of_item = packed + item * sizes.positions * width;
  const T* const key = rows_of_item + sizes.key(head / sizes.group());
  const T* const value = rows_of_item + sizes.value(head / sizes.group());
  const std::int64_t seen =
      sizes.causal && first + rows < sizes.positions ? first + rows : sizes.positions;
  const int strip = static_cast<int>(threadIdx.x / warp_threads) * tile;
  const int row = strip + Half::row();
  const std::int64_t position = first + row;
  const std::int64_t last =
      sizes.causal && position < sizes.positions ? position : sizes.positions - 1;

  HeadRows<T, rows, depth>{queries}.load(rows_of_item + sizes.query(head) + first * width,
                                         width,
                                         sizes.positions - first,
                                         sizes.head_dim);
  // The scores of this thread's half row against the keys from `begin` on.
  const auto score = [&](std::int64_t begin, float(&mine)[Half::count]) {
    multiply_by_rows<T, columns, depth>(queries[strip], keys[0], scores[strip]);
    __syncwarp();
#pragma unroll
    for (int i = 0; i < Half::count; ++i) {
      const int c = Half::first() + i;
      mine[i] = begin + c <= last ? scores[row][c] * sizes.scale : -INFINITY;
    }
  };

  RowSum total;
  for (std::int64_t begin = 0; begin < seen; begin += columns) {
    __syncthreads();
    HeadRows<T, columns, depth>{keys}.load(
        key + begin * width, width, sizes.positions - begin, sizes.head_dim);
    __syncthreads();
    float mine[Half::count];
    score(begin, mine);
    total.add(mine);
  }
  const float level = total.log_sum_exp();
  if (Half::first() == 0 && position < sizes.positions) {
    lse[(item * sizes.heads + head) * sizes.positions + position] = level;
  }

  StripSum<T, columns, depth> sum;
  sum.clear();
  for (std::int64_t begin = 0; begin < seen; begin += columns) {
    __syncthreads();
    HeadRows<T, columns, depth>{keys}.load(
        key + begin * width, width, sizes.positions - begin, sizes.head_dim);
    HeadRows<T, columns, depth>{values}.load(
        value + begin * width, width, sizes.positions - begin, sizes.head_dim);
    __syncthreads();
    float mine[Half::count];
    score(begin, mine);
#pragma unroll
    for (int i = 0; i < Half::count; ++i) {
      shares[row][Half::first() + i] = from_float<T>(expf(mine[i] - level));
    }
    __syncwarp();
    sum.add(shares[strip], values[0]);
  }
  sum.write(scores[strip],
            out + (item * sizes.positions + first + strip) * sizes.width() + sizes.query(head),
            sizes.width(),
            sizes.positions - first - strip,
            sizes.head_dim);
}

// One thread per pair of features that turn together; values are copied.
template <typename T>
__global__ void rotate(const T* from,
                       const float* table,
                       T* to,
                       AttentionSizes sizes,
                       float direction,
                       std::int64_t pairs) {
  const int half = sizes.head_dim / 2;
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < pairs; i += step) {
    const std::int64_t head = i / half;
    const int feature = static_cast<int>(i % half);
    const int heads = sizes.heads + 2 * sizes.kv_heads;
    const std::int64_t row = head / heads;
    const std::int64_t at = head * sizes.head_dim + feature;
    const float* const turn = table + row % sizes.positions * sizes.head_dim + feature;
    const bool turns = head % heads < sizes.heads + sizes.kv_heads;
    const float cosine = turns ? turn[0] : 1.0F;
    const float sine = turns ? direction * turn[half] : 0.0F;
    const float a = to_float(from[at]);
    const float b = to_float(from[at + half]);
    to[at] = from_float<T>(a * cosine - b * sine);
    to[at + half] = from_float<T>(b * cosine + a * sine);
  }
}

}  // namespace

void launch_rotate(const void* from,
                   const float* table,
                   void* to,
                   ElementType type,
                   const AttentionSizes& sizes,
                   bool back,
                   cudaStream_t stream) {
  const auto pairs = sizes.items * sizes.positions * sizes.packed_width() / 2;
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    rotate<<<blocks_for(pairs), block_threads, 0, stream>>>(
        static_cast<const T*>(from), table, static_cast<T*>(to), sizes, back ? -1.0F : 1.0F, pairs);
  });
}

void launch_attention(const void* packed,
                      void* out,
                      float* lse,
                      ElementType type,
                      const AttentionSizes& sizes,
                      cudaStream_t stream) {
  dispatch_tiles<Tiles>(type, sizes.head_dim, [&](auto tiles) {
    using Config = decltype(tiles);
    using T = typename Config::Element;
    const dim3 grid(static_cast<unsigned>((sizes.positions + Config::rows - 1) / Config::rows),
                    static_cast<unsigned>(sizes.heads),
                    static_cast<unsigned>(sizes.items));
    attend<Config><<<grid, Config::rows / tile * warp_threads, 0, stream>>>(
        static_cast<const T*>(packed), static_cast<T*>(out), lse, sizes);
  });
}

}  // namespace rightsize::gpu
