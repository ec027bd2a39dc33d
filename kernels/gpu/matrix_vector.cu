// Few rows times a matrix: bound by reading the weights, which happens once for all rows. One warp
// per row of the weights.
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/sequence_kernels.h"
#include "kernels/gpu/warp.cuh"

namespace rightsize::gpu {
namespace {

template <typename T, int N, int Rows>
__global__ void matrix_vector(const T* weights,
                              const T* x,
                              const float* bias,
                              T* y,
                              std::int64_t in,
                              std::int64_t out,
                              bool relu) {
  const std::int64_t column =
      std::int64_t{blockIdx.x} * (block_threads / warp_threads) + threadIdx.x / warp_threads;
  if (column >= out) {
    return;
  }
  const int lane = static_cast<int>(threadIdx.x % warp_threads);
  const T* const row = weights + column * in;
  float sums[Rows] = {};
  for (std::int64_t i = std::int64_t{lane} * N; i < in; i += warp_threads * N) {
    const auto factors = load<N>(row + i);
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      const auto values = load<N>(x + r * in + i);
#pragma unroll
      for (int k = 0; k < N; ++k) {
        sums[r] += to_float(factors.values[k]) * to_float(values.values[k]);
      }
    }
  }
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    const float sum = warp_sum(sums[r]) + (bias == nullptr ? 0.0F : bias[column]);
    if (lane == r) {
      y[r * out + column] = from_float<T>(relu ? positive_part(sum) : sum);
    }
  }
}

template <typename T, int N>
void run(const MatrixVectorTensors& tensors, const MatrixVectorShape& shape, cudaStream_t stream) {
  const auto start = [&](auto kernel) {
    constexpr std::int64_t columns = block_threads / warp_threads;
    const auto blocks = static_cast<unsigned>((shape.out + columns - 1) / columns);
    kernel<<<blocks, block_threads, 0, stream>>>(static_cast<const T*>(tensors.weights),
                                                 static_cast<const T*>(tensors.x),
                                                 tensors.bias,
                                                 static_cast<T*>(tensors.y),
                                                 shape.in,
                                                 shape.out,
                                                 shape.relu);
  };
  switch (shape.rows) {
    case 1:
      return start(matrix_vector<T, N, 1>);
    case 2:
      return start(matrix_vector<T, N, 2>);
    case 3:
      return start(matrix_vector<T, N, 3>);
    default:
      return start(matrix_vector<T, N, 4>);
  }
}

}  // namespace

void launch_matrix_vector(const MatrixVectorTensors& tensors,
                          ElementType type,
                          const MatrixVectorShape& shape,
                          cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    if (shape.in % lanes<T> == 0) {
      run<T, lanes<T>>(tensors, shape, stream);
    } else {
      run<T, 1>(tensors, shape, stream);
    }
  });
}

}  // namespace rightsize::gpu
