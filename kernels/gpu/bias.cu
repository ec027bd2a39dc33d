#include "kernels/gpu/columns.cuh"
#include "kernels/gpu/kernels.h"

namespace rightsize::gpu {
namespace {

template <typename T>
struct AddBias {
  const float* bias;
  T* y;
  unsigned channels;
  bool relu;

  template <int N>
  __device__ void run(std::int64_t at) const {
    auto values = load<N>(y + at);
    unsigned channel = static_cast<unsigned>(at % channels);
#pragma unroll
    for (int k = 0; k < N; ++k) {
      const float value = to_float(values.values[k]) + bias[channel];
      values.values[k] = from_float<T>(relu ? positive_part(value) : value);
      channel = channel + 1 == channels ? 0 : channel + 1;
    }
    store<N>(y + at, values);
  }
};

template <typename T>
struct SumRows {
  const T* dy;

  template <int N>
  struct Column {
    __device__ Column(const SumRows&, int) {}
  };

  template <int N>
  __device__ void add(const Column<N>&, std::int64_t at, float (&sums)[1][N]) const {
    const auto values = load<N>(dy + at);
#pragma unroll
    for (int k = 0; k < N; ++k) {
      sums[0][k] += to_float(values.values[k]);
    }
  }
};

struct StoreSum {
  float* out;
  __device__ void operator()(int channel, const float (&sums)[1]) const { out[channel] = sums[0]; }
};

}  // namespace

std::int64_t partial_floats(const TensorShape& shape, int sums) {
  return static_cast<std::int64_t>(most_chunks) * sums * shape.c;
}

void launch_bias(const float* bias,
                 void* y,
                 ElementType type,
                 const TensorShape& shape,
                 bool relu,
                 cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    run_for_each<T>(shape.elements(),
                    stream,
                    AddBias<T>{bias, static_cast<T*>(y), static_cast<unsigned>(shape.c), relu});
  });
}

void launch_bias_gradient(const void* dy,
                          float* gradient,
                          float* partials,
                          ElementType type,
                          const TensorShape& shape,
                          cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    sum_columns<T, 1>(
        SumRows<T>{static_cast<const T*>(dy)}, StoreSum{gradient}, partials, shape, stream);
  });
}

}  // namespace rightsize::gpu
