// Sums over the rows of a rows x channels matrix, several at once, in two deterministic stages:
// blocks write partial sums of their rows, then one small kernel adds those up. No atomics, so the
// same input gives the same bits.
#pragma once

#include "kernels/gpu/element.cuh"

namespace rightsize::gpu {

// How a matrix is cut: blockDim = (packs_x, rows_y), gridDim = (column blocks, chunks of rows).
struct ColumnGrid {
  dim3 block;
  dim3 grid;
};

inline constexpr unsigned most_chunks = 256;

inline ColumnGrid column_grid(std::int64_t rows, std::int64_t channels, int width) {
  const auto packs = static_cast<unsigned>((channels + width - 1) / width);
  unsigned x = 1;
  while (x < packs && x < 32) {
    x *= 2;
  }
  const unsigned y = block_threads / x;
  const unsigned columns = (packs + x - 1) / x;
  const std::int64_t wanted = (rows + y - 1) / y;
  const std::int64_t room = std::int64_t{1024} / columns + 1;
  const std::int64_t chunks = wanted < room ? wanted : room;
  return {dim3(x, y),
          dim3(columns, static_cast<unsigned>(chunks < most_chunks ? chunks : most_chunks))};
}

// partials[chunk][sum][channel]. Load makes its per-column constants once per thread, then adds
// its terms for the N channels at `at`.
template <typename T, int N, int Sums, typename Load>
__global__ void column_partials(Load body, std::int64_t rows, int channels, float* partials) {
  __shared__ float shared[block_threads * N];
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * N;
  float sums[Sums][N] = {};
  if (column < channels) {
    const typename Load::template Column<N> constants(body, column);
    const std::int64_t stride = std::int64_t{gridDim.y} * blockDim.y;
    for (std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y; row < rows;
         row += stride) {
      body.template add<N>(constants, row * channels + column, sums);
    }
  }
  for (int s = 0; s < Sums; ++s) {
#pragma unroll
    for (int k = 0; k < N; ++k) {
      shared[(threadIdx.y * blockDim.x + threadIdx.x) * N + k] = sums[s][k];
    }
    __syncthreads();
    if (threadIdx.y == 0 && column < channels) {
      for (int k = 0; k < N; ++k) {
        float total = 0;
        for (unsigned y = 0; y < blockDim.y; ++y) {
          total += shared[(y * blockDim.x + threadIdx.x) * N + k];
        }
        partials[(std::int64_t{blockIdx.y} * Sums + s) * channels + column + k] = total;
      }
    }
    __syncthreads();
  }
}

inline constexpr unsigned finish_rows = 16;  // threads that share the chunks of one channel

// blockDim = (32, finish_rows), one x per channel: calls finish(channel, sums) once for each.
template <int Sums, typename Finish>
__global__ void column_finish(Finish finish, const float* partials, int chunks, int channels) {
  __shared__ float shared[Sums][finish_rows][33];
  const int channel = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
  for (int s = 0; s < Sums; ++s) {
    float total = 0;
    if (channel < channels) {
      for (int chunk = static_cast<int>(threadIdx.y); chunk < chunks;
           chunk += static_cast<int>(finish_rows)) {
        total += partials[(std::int64_t{chunk} * Sums + s) * channels + channel];
      }
    }
    shared[s][threadIdx.y][threadIdx.x] = total;
  }
  __syncthreads();
  if (threadIdx.y == 0 && channel < channels) {
    float sums[Sums];
    for (int s = 0; s < Sums; ++s) {
      sums[s] = 0;
      for (unsigned y = 0; y < finish_rows; ++y) {
        sums[s] += shared[s][y][threadIdx.x];
      }
    }
    finish(channel, sums);
  }
}

template <typename T, int Sums, typename Load, typename Finish>
void sum_columns(const Load& body,
                 const Finish& finish,
                 float* partials,
                 const TensorShape& shape,
                 cudaStream_t stream) {
  const auto channels = static_cast<int>(shape.c);
  const bool wide = shape.c % lanes<T> == 0;
  const auto grid = column_grid(shape.rows(), shape.c, wide ? lanes<T> : 1);
  if (wide) {
    column_partials<T, lanes<T>, Sums>
        <<<grid.grid, grid.block, 0, stream>>>(body, shape.rows(), channels, partials);
  } else {
    column_partials<T, 1, Sums>
        <<<grid.grid, grid.block, 0, stream>>>(body, shape.rows(), channels, partials);
  }
  const auto blocks = static_cast<unsigned>((channels + 31) / 32);
  column_finish<Sums><<<blocks, dim3(32, finish_rows), 0, stream>>>(
      finish, partials, static_cast<int>(grid.grid.y), channels);
}

}  // namespace rightsize::gpu
