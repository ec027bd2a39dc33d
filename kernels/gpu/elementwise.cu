// Sums, ReLU and its gradient: one pass over memory each.
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/kernels.h"

namespace rightsize::gpu {
namespace {

template <typename T>
struct Add {
  const T* a;
  const T* b;
  T* y;
  bool relu;

  template <int N>
  __device__ void run(std::int64_t at) const {
    const auto first = load<N>(a + at);
    const auto second = load<N>(b + at);
    Pack<T, N> sum;
#pragma unroll
    for (int k = 0; k < N; ++k) {
      const float value = to_float(first.values[k]) + to_float(second.values[k]);
      sum.values[k] = from_float<T>(relu ? positive_part(value) : value);
    }
    store<N>(y + at, sum);
  }
};

template <typename T>
struct Relu {
  const T* x;
  T* y;

  template <int N>
  __device__ void run(std::int64_t at) const {
    auto values = load<N>(x + at);
#pragma unroll
    for (int k = 0; k < N; ++k) {
      values.values[k] = from_float<T>(positive_part(to_float(values.values[k])));
    }
    store<N>(y + at, values);
  }
};

template <typename T>
struct ReluBackward {
  const T* y;
  const T* dy;
  T* dx;

  template <int N>
  __device__ void run(std::int64_t at) const {
    const auto output = load<N>(y + at);
    auto gradient = load<N>(dy + at);
#pragma unroll
    for (int k = 0; k < N; ++k) {
      if (!(to_float(output.values[k]) > 0)) {
        gradient.values[k] = from_float<T>(0.0F);
      }
    }
    store<N>(dx + at, gradient);
  }
};

}  // namespace

void launch_add(const void* a,
                const void* b,
                void* y,
                ElementType type,
                std::int64_t count,
                bool relu,
                cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    run_for_each<T>(
        count,
        stream,
        Add<T>{static_cast<const T*>(a), static_cast<const T*>(b), static_cast<T*>(y), relu});
  });
}

void launch_relu(
    const void* x, void* y, ElementType type, std::int64_t count, cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    run_for_each<T>(count, stream, Relu<T>{static_cast<const T*>(x), static_cast<T*>(y)});
  });
}

void launch_relu_backward(const void* y,
                          const void* dy,
                          void* dx,
                          ElementType type,
                          std::int64_t count,
                          cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    run_for_each<T>(
        count,
        stream,
        ReluBackward<T>{static_cast<const T*>(y), static_cast<const T*>(dy), static_cast<T*>(dx)});
  });
}

}  // namespace rightsize::gpu
