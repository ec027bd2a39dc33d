#include "kernels/gpu/element.cuh"
#include "kernels/gpu/sequence_kernels.h"

namespace rightsize::gpu {
namespace {

__device__ float logistic(float x) {
  return 1.0F / (1.0F + expf(-x));
}

// Packs of N outputs; `row_packs` of them make a row of y and half a row of x.
template <typename T, int N>
__global__ void gate(const T* x, T* y, std::int64_t packs, std::int64_t row_packs) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < packs; i += step) {
    const std::int64_t row = i / row_packs;
    const T* const first = x + (i + row * row_packs) * N;
    auto values = load<N>(first);
    const auto factors = load<N>(first + row_packs * N);
#pragma unroll
    for (int k = 0; k < N; ++k) {
      const float v = to_float(values.values[k]);
      values.values[k] = from_float<T>(v * logistic(v) * to_float(factors.values[k]));
    }
    store<N>(y + i * N, values);
  }
}

// silu'(v) = s + v s (1 - s) with s = sigmoid(v).
template <typename T, int N>
__global__ void gate_backward(
    const T* x, const T* dy, T* dx, std::int64_t packs, std::int64_t row_packs) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < packs; i += step) {
    const std::int64_t row = i / row_packs;
    const std::int64_t first = (i + row * row_packs) * N;
    const std::int64_t second = first + row_packs * N;
    auto values = load<N>(x + first);
    auto factors = load<N>(x + second);
    const auto arriving = load<N>(dy + i * N);
#pragma unroll
    for (int k = 0; k < N; ++k) {
      const float v = to_float(values.values[k]);
      const float s = logistic(v);
      const float gradient = to_float(arriving.values[k]);
      const float factor = to_float(factors.values[k]);
      values.values[k] = from_float<T>(gradient * factor * (s + v * s * (1.0F - s)));
      factors.values[k] = from_float<T>(gradient * v * s);
    }
    store<N>(dx + first, values);
    store<N>(dx + second, factors);
  }
}

}  // namespace

void launch_gated_silu(const void* x,
                       void* y,
                       ElementType type,
                       std::int64_t rows,
                       std::int64_t width,
                       cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    const auto run = [&](auto kernel, std::int64_t lane) {
      const auto packs = rows * width / lane;
      kernel<<<blocks_for(packs), block_threads, 0, stream>>>(
          static_cast<const T*>(x), static_cast<T*>(y), packs, width / lane);
    };
    if (width % lanes<T> == 0) {
      run(gate<T, lanes<T>>, lanes<T>);
    } else {
      run(gate<T, 1>, 1);
    }
  });
}

void launch_gated_silu_backward(const void* x,
                                const void* dy,
                                void* dx,
                                ElementType type,
                                std::int64_t rows,
                                std::int64_t width,
                                cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    const auto run = [&](auto kernel, std::int64_t lane) {
      const auto packs = rows * width / lane;
      kernel<<<blocks_for(packs), block_threads, 0, stream>>>(static_cast<const T*>(x),
                                                              static_cast<const T*>(dy),
                                                              static_cast<T*>(dx),
                                                              packs,
                                                              width / lane);
    };
    if (width % lanes<T> == 0) {
      run(gate_backward<T, lanes<T>>, lanes<T>);
    } else {
      run(gate_backward<T, 1>, 1);
    }
  });
}

}  // namespace rightsize::gpu
