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

// Rows of one head that go together: queries and the gradients that arrive at their outputs, or
// keys and values.
template <typename T>
struct Pair {
  const T* rows;
  std::int64_t stride;
  const T* partners;
  std::int64_t partner_stride;
};

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
  __device__ Pair<T> queries(std::int64_t begin) const {
    return {query + begin * width, width, dy + begin * out_width, out_width};
  }
  __device__ Pair<T> keys(std::int64_t begin) const {
    return {key + begin * width, width, value + begin * width, width};
  }

  std::int64_t width, out_width;
  const T *query, *key, *value, *dy;
  T *query_gradient, *key_gradient, *value_gradient;
  const float *lse, *delta;
};

// What a block has in shared memory, 32-byte aligned, as each part's size is a multiple of that.
template <typename Config>
struct Memory {
  using T = typename Config::Element;
  T own[Config::rows][Config::depth + row_padding];
  T own_partners[Config::rows][Config::depth + row_padding];
  T passing[Config::columns][Config::depth + row_padding];
  T passing_partners[Config::columns][Config::depth + row_padding];
  float scores[Config::rows][Config::columns + score_padding];
  T shares[Config::rows][Config::columns + row_padding];
};

// A block has some rows for itself, queries or keys, and lets those of the other kind pass. For
// both a share of attention is e^(score - lse), and the gradient of its score is share (d - delta)
// scale, where d is the product of the partners.
template <typename Config>
class GradientBlock {
  using T = typename Config::Element;
  using Half = HalfRow<Config::columns>;
  static constexpr int columns = Config::columns;
  static constexpr int depth = Config::depth;

 public:
  using Shares = float[Half::count];  // of this thread
  using Sum = StripSum<T, columns, depth>;

  __device__ GradientBlock(Memory<Config>& memory, const AttentionSizes& sizes, std::int64_t index)
      : memory_(memory),
        sizes_(sizes),
        first_(index * Config::rows),
        strip_(static_cast<int>(threadIdx.x / warp_threads) * tile),
        row_(strip_ + Half::row()) {}

  [[nodiscard]] __device__ std::int64_t first() const { return first_; }
  // This thread's row.
  [[nodiscard]] __device__ std::int64_t position() const { return first_ + row_; }

  __device__ void load_own(const Pair<T>& from) {
    load(memory_.own, memory_.own_partners, from, first_);
  }
  __device__ void load_passing(const Pair<T>& from, std::int64_t begin) {
    __syncthreads();
    load(memory_.passing, memory_.passing_partners, from, begin);
    __syncthreads();
  }

  // Of columns c that are visible(c), by the log-sum-exp lse(c); 0 of others.
  template <typename Visible, typename Level>
  __device__ void weigh(Shares& share, Visible visible, Level lse) {
    multiply_by_rows<T, columns, depth>(
        memory_.own[strip_], memory_.passing[0], memory_.scores[strip_]);
    __syncwarp();
#pragma unroll
    for (int i = 0; i < Half::count; ++i) {
      const int c = Half::first() + i;
      share[i] = visible(c) ? expf(memory_.scores[row_][c] * sizes_.scale - lse(c)) : 0.0F;
    }
    __syncwarp();
  }

  // The shares themselves times the partners that pass.
  __device__ void add_shares(const Shares& share, Sum& sum) {
#pragma unroll
    for (int i = 0; i < Half::count; ++i) {
      memory_.shares[row_][Half::first() + i] = from_float<T>(share[i]);
    }
    __syncwarp();
    sum.add(memory_.shares[strip_], memory_.passing_partners[0]);
  }

  // The gradients of the scores times the rows that pass.
  template <typename Delta>
  __device__ void add_gradients(const Shares& share, Delta delta, Sum& sum) {
    multiply_by_rows<T, columns, depth>(
        memory_.own_partners[strip_], memory_.passing_partners[0], memory_.scores[strip_]);
    __syncwarp();
#pragma unroll
    for (int i = 0; i < Half::count; ++i) {
      const int c = Half::first() + i;
      const float gradient = share[i] * (memory_.scores[row_][c] - delta(c)) * sizes_.scale;
      memory_.shares[row_][c] = from_float<T>(gradient);
    }
    __syncwarp();
    sum.add(memory_.shares[strip_], memory_.passing[0]);
  }

  __device__ void write(const Sum& sum, T* to, std::int64_t stride) {
    const std::int64_t strip = first_ + strip_;
    sum.write(memory_.scores[strip_],
              to + strip * stride,
              stride,
              sizes_.positions - strip,
              sizes_.head_dim);
  }

 private:
  template <int Rows>
  __device__ void load(T (&rows)[Rows][depth + row_padding],
                       T (&partners)[Rows][depth + row_padding],
                       const Pair<T>& from,
                       std::int64_t begin) const {
    const std::int64_t there = sizes_.positions - begin;
    HeadRows<T, Rows, depth>{rows}.load(from.rows, from.stride, there, sizes_.head_dim);
    HeadRows<T, Rows, depth>{partners}.load(
        from.partners, from.partner_stride, there, sizes_.head_dim);
  }

  Memory<Config>& memory_;
  const AttentionSizes& sizes_;
  std::int64_t first_;
  int strip_;  // this warp's first row
  int row_;    // this thread's
};

// Blocks of queries, past which go the keys they see.
template <typename Config>
__global__ void query_gradients(AttentionGradients tensors, AttentionSizes sizes) {
  using Block = GradientBlock<Config>;
  __shared__ __align__(32) Memory<Config> memory;
  const Head<typename Config::Element> head(
      tensors, sizes, blockIdx.z, static_cast<int>(blockIdx.y));
  Block block(memory, sizes, gridDim.x - 1 - blockIdx.x);  // the longest first
  const std::int64_t position = block.position();
  const std::int64_t seen = sizes.end_seen(block.first() + Config::rows - 1);
  const bool exists = position < sizes.positions;
  const std::int64_t first = sizes.first_seen(position);
  const std::int64_t last = sizes.end_seen(position) - 1;
  const std::int64_t start = sizes.first_seen(block.first()) / Config::columns * Config::columns;
  const float lse = exists ? head.lse[position] : 0.0F;
  const float delta = exists ? head.delta[position] : 0.0F;

  block.load_own(head.queries(block.first()));
  typename Block::Sum sum;
  sum.clear();
  for (std::int64_t begin = start; begin < seen; begin += Config::columns) {
    block.load_passing(head.keys(begin), begin);
    typename Block::Shares share;
    block.weigh(
        share,
        [&](int c) { return exists && first <= begin + c && begin + c <= last; },
        [&](int) { return lse; });
    block.add_gradients(
        share, [&](int) { return delta; }, sum);
  }
  block.write(sum, head.query_gradient, head.width);
}

// Blocks of keys and their values, past which go the queries that see them, of all heads that share
// them.
template <typename Config>
__global__ void key_value_gradients(AttentionGradients tensors, AttentionSizes sizes) {
  using T = typename Config::Element;
  using Block = GradientBlock<Config>;
  __shared__ __align__(32) Memory<Config> memory;
  const int first_head = static_cast<int>(blockIdx.y) * sizes.group();
  const Head<T> owner(tensors, sizes, blockIdx.z, first_head);
  Block block(memory, sizes, blockIdx.x);
  block.load_own(owner.keys(block.first()));
  typename Block::Sum key_sum;
  typename Block::Sum value_sum;
  key_sum.clear();
  value_sum.clear();
  const std::int64_t position = block.position();
  const bool exists = position < sizes.positions;
  const std::int64_t start = sizes.first_seeing(block.first()) / Config::columns * Config::columns;
  const std::int64_t first = sizes.first_seeing(position);
  const std::int64_t last = sizes.last_seeing(position);
  const std::int64_t end = sizes.last_seeing(block.first() + Config::rows - 1) + 1;
  for (int member = 0; member < sizes.group(); ++member) {
    const Head<T> head(tensors, sizes, blockIdx.z, first_head + member);
    for (std::int64_t begin = start; begin < end; begin += Config::columns) {
      block.load_passing(head.queries(begin), begin);
      const auto there = [&](int c) { return begin + c < sizes.positions; };
      const auto sees = [&](int c) { return exists && first <= begin + c && begin + c <= last; };
      typename Block::Shares share;
      block.weigh(share, sees, [&](int c) { return head.lse[begin + c]; });
      block.add_shares(share, value_sum);
      block.add_gradients(
          share, [&](int c) { return there(c) ? head.delta[begin + c] : 0.0F; }, key_sum);
    }
  }
  block.write(key_sum, owner.key_gradient, owner.width);
  block.write(value_sum, owner.value_gradient, owner.width);
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
