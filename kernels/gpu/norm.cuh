// What both passes of batch normalisation share: the line that normalises a channel, and a loop in
// which each thread stays in its channels.
#pragma once

#include "kernels/gpu/element.cuh"
#include "kernels/gpu/kernels.h"

namespace rightsize::gpu {

// norm(x) = slope x + offset
template <int N>
struct Line {
  float slope[N];
  float offset[N];

  __device__ Line(const NormParameters& p, int column) {
#pragma unroll
    for (int k = 0; k < N; ++k) {
      slope[k] = p.scale[column + k] * p.inverse_std[column + k];
      offset[k] = p.shift[column + k] - p.mean[column + k] * slope[k];
    }
  }
};

// Each thread stays in its channels: the grid's stride is a multiple of a row.
template <typename T, int N, typename Body>
__global__ void for_each_row_pack(Body body, std::int64_t packs, int row_packs) {
  std::int64_t pack = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (pack >= packs) {
    return;
  }
  const typename Body::template Column<N> constants(body, static_cast<int>(pack % row_packs) * N);
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (; pack < packs; pack += stride) {
    body.template run<N>(constants, pack * N);
  }
}

// Blocks such that blocks x 256 is a multiple of `row_packs`.
inline unsigned row_blocks(std::int64_t packs, std::int64_t row_packs) {
  std::int64_t step = row_packs;  // row_packs / gcd(row_packs, 256), as 256 is a power of two
  for (int halvings = 0; step % 2 == 0 && halvings < 8; ++halvings) {
    step /= 2;
  }
  const std::int64_t wanted = std::int64_t{blocks_for(packs)};
  return static_cast<unsigned>((wanted + step - 1) / step * step);
}

template <typename T, typename Body>
void run_rows(const Body& body, const TensorShape& shape, cudaStream_t stream) {
  const bool wide = shape.c % lanes<T> == 0;
  const std::int64_t width = wide ? lanes<T> : 1;
  const auto packs = shape.elements() / width;
  const auto row_packs = static_cast<int>(shape.c / width);
  const auto blocks = row_blocks(packs, row_packs);
  if (wide) {
    for_each_row_pack<T, lanes<T>><<<blocks, block_threads, 0, stream>>>(body, packs, row_packs);
  } else {
    for_each_row_pack<T, 1><<<blocks, block_threads, 0, stream>>>(body, packs, row_packs);
  }
}

}  // namespace rightsize::gpu
