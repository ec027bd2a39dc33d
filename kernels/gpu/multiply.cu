// Element-wise products, and products with a gate: one value per item and channel (Hu et al.,
// "Squeeze-and-Excitation Networks", CVPR 2018).
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/kernels.h"

namespace rightsize::gpu {
namespace {

template <typename T>
struct Multiply {
  const T* a;
  const T* b;
  T* y;

  template <int N>
  __device__ void run(std::int64_t at) const {
    auto first = load<N>(a + at);
    const auto second = load<N>(b + at);
#pragma unroll
    for (int k = 0; k < N; ++k) {
      first.values[k] = from_float<T>(to_float(first.values[k]) * to_float(second.values[k]));
    }
    store<N>(y + at, first);
  }
};

// One pack of N channels per turn: a pack never reaches over a pixel's channels.
template <typename T, int N>
__global__ void apply_gate(const T* x,
                           const T* gate,
                           T* y,
                           std::int64_t packs,
                           std::int64_t positions,
                           std::int64_t channels) {
  const std::int64_t row_packs = channels / N;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < packs;
       i += stride) {
    const std::int64_t row = i / row_packs;
    const std::int64_t column = (i - row * row_packs) * N;
    auto values = load<N>(x + i * N);
    const auto factors = load<N>(gate + row / positions * channels + column);
#pragma unroll
    for (int k = 0; k < N; ++k) {
      values.values[k] = from_float<T>(to_float(values.values[k]) * to_float(factors.values[k]));
    }
    store<N>(y + i * N, values);
  }
}

constexpr unsigned sum_columns_x = 32;  // channels of a block: neighbours, so that loads coalesce
constexpr unsigned sum_rows_y = 8;      // threads that share the positions of one channel

// blockIdx = (block of channels, item). In a fixed order, so the same input gives the same bits.
template <typename T>
__global__ void sum_gate(
    const T* x, const T* dy, T* gradient, std::int64_t positions, std::int64_t channels) {
  __shared__ float shared[sum_rows_y][sum_columns_x];
  const std::int64_t channel = std::int64_t{blockIdx.x} * sum_columns_x + threadIdx.x;
  const std::int64_t first = std::int64_t{blockIdx.y} * positions * channels + channel;
  float sum = 0;
  if (channel < channels) {
    for (std::int64_t p = threadIdx.y; p < positions; p += sum_rows_y) {
      const std::int64_t at = first + p * channels;
      sum += to_float(x[at]) * to_float(dy[at]);
    }
  }
  shared[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && channel < channels) {
    float total = 0;
    for (unsigned y = 0; y < sum_rows_y; ++y) {
      total += shared[y][threadIdx.x];
    }
    gradient[std::int64_t{blockIdx.y} * channels + channel] = from_float<T>(total);
  }
}

}  // namespace

void launch_multiply(const void* a,
                     const void* b,
                     void* y,
                     ElementType type,
                     std::int64_t count,
                     cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    run_for_each<T>(
        count,
        stream,
        Multiply<T>{static_cast<const T*>(a), static_cast<const T*>(b), static_cast<T*>(y)});
  });
}

void launch_gate(const void* x,
                 const void* gate,
                 void* y,
                 ElementType type,
                 const TensorShape& shape,
                 cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    const auto run = [&](auto kernel, std::int64_t width) {
      const auto packs = shape.elements() / width;
      kernel<<<blocks_for(packs), block_threads, 0, stream>>>(static_cast<const T*>(x),
                                                              static_cast<const T*>(gate),
                                                              static_cast<T*>(y),
                                                              packs,
                                                              shape.h * shape.w,
                                                              shape.c);
    };
    if (shape.c % lanes<T> == 0) {
      run(apply_gate<T, lanes<T>>, lanes<T>);
    } else {
      run(apply_gate<T, 1>, 1);
    }
  });
}

void launch_gate_gradient(const void* x,
                          const void* dy,
                          void* gradient,
                          ElementType type,
                          const TensorShape& shape,
                          cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>((shape.c + sum_columns_x - 1) / sum_columns_x),
                  static_cast<unsigned>(shape.n));
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    sum_gate<<<grid, dim3(sum_columns_x, sum_rows_y), 0, stream>>>(static_cast<const T*>(x),
                                                                   static_cast<const T*>(dy),
                                                                   static_cast<T*>(gradient),
                                                                   shape.h * shape.w,
                                                                   shape.c);
  });
}

}  // namespace rightsize::gpu
