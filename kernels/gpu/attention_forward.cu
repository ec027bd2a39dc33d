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
    // All are hidden where the row's window begins behind them.
    const float level = most == -INFINITY ? 0.0F : most;
    float more = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      more += expf(scores[i] - level);
    }
    more += __shfl_xor_sync(whole_warp, more, 1);
    sum = sum * expf(largest - level) + more;
    largest = most;
  }
  __device__ float log_sum_exp() const {
    return largest + logf(sum);
  }
};

// What a block has in shared memory, 32-byte aligned, as each part's size is a multiple of that.
template <typename Config>
struct Memory {
  using T = typename Config::Element;
  T queries[Config::rows][Config::depth + row_padding];
  T keys[Config::columns][Config::depth + row_padding];
  T values[Config::columns][Config::depth + row_padding];
  float scores[Config::rows][Config::columns + score_padding];
  T shares[Config::rows][Config::columns + row_padding];
};

// A block of queries of one head and item. The longest blocks of a causal sequence start first.
template <typename Config>
class QueryBlock {
  using T = typename Config::Element;
  using Half = HalfRow<Config::columns>;
  static constexpr int columns = Config::columns;
  static constexpr int depth = Config::depth;

 public:
  __device__ QueryBlock(Memory<Config>& memory, const T* packed, const AttentionSizes& sizes)
      : memory_(memory),
        sizes_(sizes),
        head_(static_cast<int>(blockIdx.y)),
        first_(std::int64_t{gridDim.x - 1 - blockIdx.x} * Config::rows),
        strip_(static_cast<int>(threadIdx.x / warp_threads) * tile),
        row_(strip_ + Half::row()),
        item_(packed + blockIdx.z * sizes.positions * sizes.packed_width()) {
    const std::int64_t width = sizes.packed_width();
    HeadRows<T, Config::rows, depth>{memory.queries}.load(
        item_ + sizes.query(head_) + first_ * width,
        width,
        sizes.positions - first_,
        sizes.head_dim);
  }

  // The log-sum-exp of this thread's row of scores.
  __device__ float level() {
    RowSum total;
    for (std::int64_t begin = start(); begin < seen(); begin += columns) {
      __syncthreads();
      load(memory_.keys, sizes_.key(head_ / sizes_.group()), begin);
      __syncthreads();
      float mine[Half::count];
      score(begin, mine);
      total.add(mine);
    }
    return total.log_sum_exp();
  }

  __device__ void write_level(float level, float* lse) const {
    if (Half::first() == 0 && position() < sizes_.positions) {
      const std::int64_t head = std::int64_t{blockIdx.z} * sizes_.heads + head_;
      lse[head * sizes_.positions + position()] = level;
    }
  }

  __device__ void write_sums(float level, T* out) {
    StripSum<T, columns, depth> sum;
    sum.clear();
    for (std::int64_t begin = start(); begin < seen(); begin += columns) {
      __syncthreads();
      load(memory_.keys, sizes_.key(head_ / sizes_.group()), begin);
      load(memory_.values, sizes_.value(head_ / sizes_.group()), begin);
      __syncthreads();
      float mine[Half::count];
      score(begin, mine);
#pragma unroll
      for (int i = 0; i < Half::count; ++i) {
        memory_.shares[row_][Half::first() + i] = from_float<T>(expf(mine[i] - level));
      }
      __syncwarp();
      sum.add(memory_.shares[strip_], memory_.values[0]);
    }
    const std::int64_t row = std::int64_t{blockIdx.z} * sizes_.positions + first_ + strip_;
    sum.write(memory_.scores[strip_],
              out + row * sizes_.width() + sizes_.query(head_),
              sizes_.width(),
              sizes_.positions - first_ - strip_,
              sizes_.head_dim);
  }

 private:
  [[nodiscard]] __device__ std::int64_t position() const {
    return first_ + row_;
  }

  // Where the keys begin that the block's first query sees.
  [[nodiscard]] __device__ std::int64_t start() const {
    return sizes_.first_seen(first_) / columns * columns;
  }

  // Keys that the block's last query sees.
  [[nodiscard]] __device__ std::int64_t seen() const {
    return sizes_.end_seen(first_ + Config::rows - 1);
  }

  __device__ void load(T (&rows)[columns][depth + row_padding],
                       std::int64_t feature,
                       std::int64_t begin) const {
    const std::int64_t width = sizes_.packed_width();
    HeadRows<T, columns, depth>{rows}.load(
        item_ + feature + begin * width, width, sizes_.positions - begin, sizes_.head_dim);
  }

  // The scores of this thread's half row against the keys from `begin` on.
  __device__ void score(std::int64_t begin, float (&mine)[Half::count]) {
    multiply_by_rows<T, columns, depth>(
        memory_.queries[strip_], memory_.keys[0], memory_.scores[strip_]);
    __syncwarp();
    // Rows behind the sequence are as its last one, and are not written.
    const std::int64_t row = position() < sizes_.positions ? position() : sizes_.positions - 1;
    const std::int64_t last = sizes_.end_seen(row) - 1;
    const std::int64_t first = sizes_.first_seen(row);
#pragma unroll
    for (int i = 0; i < Half::count; ++i) {
      const int c = Half::first() + i;
      const bool seen = first <= begin + c && begin + c <= last;
      mine[i] = seen ? memory_.scores[row_][c] * sizes_.scale : -INFINITY;
    }
  }

  Memory<Config>& memory_;
  const AttentionSizes& sizes_;
  int head_;
  std::int64_t first_;
  int strip_;  // this warp's first row
  int row_;    // this thread's
  const T* item_;
};

template <typename Config>
__global__ void attend(const typename Config::Element* packed,
                       typename Config::Element* out,
                       float* lse,
                       AttentionSizes sizes) {
  __shared__ __align__(32) Memory<Config> memory;
  QueryBlock<Config> block(memory, packed, sizes);
  const float level = block.level();
  block.write_level(level, lse);
  block.write_sums(level, out);
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
