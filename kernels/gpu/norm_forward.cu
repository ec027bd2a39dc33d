// Batch normalisation with an addend and a ReLU fused in (Ioffe and Szegedy, ICML 2015). Reads x
// twice: once for the moments, once to normalise.
#include "kernels/gpu/columns.cuh"
#include "kernels/gpu/norm.cuh"

namespace rightsize::gpu {
namespace {

constexpr float running_share = 0.1F;  // of the newest batch, as in torch.nn.BatchNorm2d

// Sums of x - k and its square, with k the channel's first value: it takes most of the mean out,
// so that the variance is not the small difference of two large numbers.
template <typename T>
struct Moments {
  const T* x;

  template <int N>
  struct Column {
    float origin[N];
    __device__ Column(const Moments& body, int column) {
      const auto first = load<N>(body.x + column);
#pragma unroll
      for (int k = 0; k < N; ++k) {
        origin[k] = to_float(first.values[k]);
      }
    }
  };

  template <int N>
  __device__ void add(const Column<N>& column, std::int64_t at, float (&sums)[2][N]) const {
    const auto values = load<N>(x + at);
#pragma unroll
    for (int k = 0; k < N; ++k) {
      const float value = to_float(values.values[k]) - column.origin[k];
      sums[0][k] += value;
      sums[1][k] += value * value;
    }
  }
};

// The running variance is the unbiased one: rows / (rows - 1) times the batch's.
template <typename T>
struct StoreMoments {
  const T* x;
  NormParameters p;
  float rows;

  __device__ void operator()(int c, const float (&sums)[2]) const {
    const float distance = sums[0] / rows;
    const float mean = to_float(x[c]) + distance;
    const float variance = fmaxf(sums[1] / rows - distance * distance, 0.0F);
    const float correction = rows > 1 ? rows / (rows - 1) : 1;
    p.mean[c] = mean;
    p.inverse_std[c] = rsqrtf(variance + p.epsilon);
    p.running_mean[c] += running_share * (mean - p.running_mean[c]);
    p.running_variance[c] += running_share * (correction * variance - p.running_variance[c]);
  }
};

__global__ void use_running(NormParameters p, int channels) {
  const int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (c < channels) {
    p.mean[c] = p.running_mean[c];
    p.inverse_std[c] = rsqrtf(p.running_variance[c] + p.epsilon);
  }
}

template <typename T>
struct Apply {
  const T* x;
  const T* z;
  T* y;
  NormParameters p;
  bool relu;

  template <int N>
  struct Column : Line<N> {
    __device__ Column(const Apply& body, int column) : Line<N>(body.p, column) {}
  };

  template <int N>
  __device__ void run(const Column<N>& line, std::int64_t at) const {
    auto values = load<N>(x + at);
    Pack<T, N> addend;
    if (z != nullptr) {
      addend = load<N>(z + at);
    }
#pragma unroll
    for (int k = 0; k < N; ++k) {
      float value = to_float(values.values[k]) * line.slope[k] + line.offset[k];
      value += z != nullptr ? to_float(addend.values[k]) : 0.0F;
      values.values[k] = from_float<T>(relu ? positive_part(value) : value);
    }
    store<N>(y + at, values);
  }
};

template <typename T>
void apply(const void* x,
           const void* z,
           void* y,
           const NormParameters& parameters,
           const TensorShape& shape,
           bool relu,
           cudaStream_t stream) {
  run_rows<T>(
      Apply<T>{
          static_cast<const T*>(x), static_cast<const T*>(z), static_cast<T*>(y), parameters, relu},
      shape,
      stream);
}

}  // namespace

void launch_norm_training(const void* x,
                          const void* z,
                          void* y,
                          const NormParameters& parameters,
                          float* partials,
                          ElementType type,
                          const TensorShape& shape,
                          bool relu,
                          cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    const auto* const in = static_cast<const T*>(x);
    sum_columns<T, 2>(Moments<T>{in},
                      StoreMoments<T>{in, parameters, static_cast<float>(shape.rows())},
                      partials,
                      shape,
                      stream);
    apply<T>(x, z, y, parameters, shape, relu, stream);
  });
}

void launch_norm_inference(const void* x,
                           const void* z,
                           void* y,
                           const NormParameters& parameters,
                           ElementType type,
                           const TensorShape& shape,
                           bool relu,
                           cudaStream_t stream) {
  const auto channels = static_cast<int>(shape.c);
  use_running<<<blocks_for(channels), block_threads, 0, stream>>>(parameters, channels);
  dispatch(type, [&](auto element) {
    apply<decltype(element)>(x, z, y, parameters, shape, relu, stream);
  });
}

}  // namespace rightsize::gpu
