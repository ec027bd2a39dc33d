// What the kernels of attention share: rows in shared memory, products of them by strips of 16 rows
// of which each warp has one, and the row of scores that two threads have together.
#pragma once

#include "kernels/gpu/attention_kernels.h"
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/matrix_tile.cuh"

namespace rightsize::gpu {

inline constexpr int row_padding = 8;    // keeps rows apart in banks, and 16-byte aligned
inline constexpr int score_padding = 4;  // likewise, of floats

// Rows of one head, filled up with zeros to `Depth` features and beyond the sequence's end.
template <typename T, int Rows, int Depth>
struct HeadRows {
  static constexpr int stride = Depth + row_padding;
  T (&rows)[Rows][Depth + row_padding];

  // `there`: rows that exist. All threads of the block take part; a barrier must follow.
  __device__ void load(const T* from,
                       std::int64_t from_stride,
                       std::int64_t there,
                       int head_dim) const {
    if (head_dim % lanes<T> == 0) {
      load_packs<lanes<T>>(from, from_stride, there, head_dim);
    } else {
      load_packs<1>(from, from_stride, there, head_dim);
    }
  }

 private:
  template <int N>
  __device__ void load_packs(const T* from,
                             std::int64_t from_stride,
                             std::int64_t there,
                             int head_dim) const {
    constexpr int packs = Depth / N;
    for (int i = static_cast<int>(threadIdx.x); i < Rows * packs;
         i += static_cast<int>(blockDim.x)) {
      const int row = i / packs;
      const int column = i % packs * N;
      Pack<T, N> values;
      if (row < there && column < head_dim) {
        values = gpu::load<N>(from + row * from_stride + column);
      } else {
        for (int k = 0; k < N; ++k) {
          values.values[k] = from_float<T>(0.0F);
        }
      }
      store<N>(&rows[row][column], values);
    }
  }
};

// scores (16 x Columns) = a (16 x Depth) b^T (Columns x Depth), by one warp.
template <typename T, int Columns, int Depth>
__device__ void multiply_by_rows(const T* a, const T* b, float* scores) {
  constexpr int stride = Depth + row_padding;
#pragma unroll
  for (int c = 0; c < Columns; c += tile) {
    MatrixTile<T> sum;
    sum.clear();
#pragma unroll
    for (int k = 0; k < Depth; k += tile) {
      sum.template add<false, true>(a + k, stride, b + c * stride + k, stride);
    }
    sum.store(scores + c, Columns + score_padding);
  }
}

// 16 rows of sums over the columns of `shares`, Depth wide, by one warp.
template <typename T, int Columns, int Depth>
class StripSum {
 public:
  __device__ void clear() {
    for (auto& part : parts_) {
      part.clear();
    }
  }
  // += shares (16 x Columns) rows (Columns x Depth)
  __device__ void add(const T* shares, const T* rows) {
    constexpr int share_stride = Columns + row_padding;
    constexpr int stride = Depth + row_padding;
#pragma unroll
    for (int k = 0; k < Columns; k += tile) {
#pragma unroll
      for (int d = 0; d < Depth; d += tile) {
        parts_[d / tile].template add<false, false>(
            shares + k, share_stride, rows + k * stride + d, stride);
      }
    }
  }
  // Through 16 x 16 floats of the warp's own scores; writes the rows that exist.
  __device__ void write(
      float* scores, T* to, std::int64_t to_stride, std::int64_t there, int head_dim) const {
    constexpr int stride = Columns + score_padding;
    const int lane = static_cast<int>(threadIdx.x % warp_threads);
#pragma unroll
    for (int d = 0; d < Depth; d += tile) {
      __syncwarp();
      parts_[d / tile].store(scores, stride);
      __syncwarp();
      for (int i = lane; i < tile * tile; i += warp_threads) {
        const int row = i / tile;
        const int column = i % tile;
        if (row < there && d + column < head_dim) {
          to[row * to_stride + d + column] = from_float<T>(scores[row * stride + column]);
        }
      }
    }
  }

 private:
  MatrixTile<T> parts_[Depth / tile];
};

// The half of a row of 16 x Columns scores that is this thread's.
template <int Columns>
struct HalfRow {
  static constexpr int count = Columns / 2;
  static __device__ int row() { return static_cast<int>(threadIdx.x % warp_threads) / 2; }
  static __device__ int first() { return static_cast<int>(threadIdx.x % 2) * count; }
};

// Calls action with a kernel's tiles for this type and head: Tiles<T, Depth>.
template <template <typename, int> typename Tiles, typename Action>
void dispatch_tiles(ElementType type, int head_dim, Action action) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    if (head_dim <= 64) {
      action(Tiles<T, 64>{});
    } else {
      action(Tiles<T, 128>{});
    }
  });
}

}  // namespace rightsize::gpu
