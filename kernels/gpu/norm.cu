// Batch normalisation with an addend and a ReLU fused in (Ioffe and Szegedy, ICML 2015). Forward
// reads x twice; backward reads x and dy twice, and tells the ReLU's side from x again where there
// is no addend, so y is not read at all.
#include "kernels/gpu/columns.cuh"
#include "kernels/gpu/kernels.h"

namespace rightsize::gpu {
namespace {

constexpr float epsilon = 1e-5F;
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
    p.inverse_std[c] = rsqrtf(variance + epsilon);
    p.running_mean[c] += running_share * (mean - p.running_mean[c]);
    p.running_variance[c] += running_share * (correction * variance - p.running_variance[c]);
  }
};

__global__ void use_running(NormParameters p, int channels) {
  const int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (c < channels) {
    p.mean[c] = p.running_mean[c];
    p.inverse_std[c] = rsqrtf(p.running_variance[c] + epsilon);
  }
}

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
unsigned row_blocks(std::int64_t packs, std::int64_t row_packs) {
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

// dy as it arrives behind the ReLU. With an addend the sign is y's, else that of slope x + offset.
template <typename T, int N>
__device__ void pass_relu(
    const T* y, std::int64_t at, const Line<N>& line, const Pack<T, N>& x, float (&gradient)[N]) {
  if (y != nullptr) {
    const auto output = load<N>(y + at);
#pragma unroll
    for (int k = 0; k < N; ++k) {
      gradient[k] = to_float(output.values[k]) > 0 ? gradient[k] : 0;
    }
    return;
  }
#pragma unroll
  for (int k = 0; k < N; ++k) {
    const float output = to_float(x.values[k]) * line.slope[k] + line.offset[k];
    gradient[k] = output > 0 ? gradient[k] : 0;
  }
}

// Sums of g and of g times the normalised x, where g is what passes the ReLU.
template <typename T>
struct BackwardSums {
  const T* x;
  const T* y;  // null: tell the ReLU's side from x
  const T* dy;
  T* dz;  // null: nobody wants g
  NormParameters p;
  bool relu;

  template <int N>
  struct Column : Line<N> {
    float mean[N];
    float inverse_std[N];
    __device__ Column(const BackwardSums& body, int column) : Line<N>(body.p, column) {
#pragma unroll
      for (int k = 0; k < N; ++k) {
        mean[k] = body.p.mean[column + k];
        inverse_std[k] = body.p.inverse_std[column + k];
      }
    }
  };

  template <int N>
  __device__ void add(const Column<N>& column, std::int64_t at, float (&sums)[2][N]) const {
    const auto values = load<N>(x + at);
    const auto arriving = load<N>(dy + at);
    float gradient[N];
#pragma unroll
    for (int k = 0; k < N; ++k) {
      gradient[k] = to_float(arriving.values[k]);
    }
    if (relu) {
      pass_relu<T, N>(y, at, column, values, gradient);
    }
    Pack<T, N> passed;
#pragma unroll
    for (int k = 0; k < N; ++k) {
      passed.values[k] = from_float<T>(gradient[k]);
      sums[0][k] += gradient[k];
      sums[1][k] +=
          gradient[k] * (to_float(values.values[k]) - column.mean[k]) * column.inverse_std[k];
    }
    if (dz != nullptr) {
      store<N>(dz + at, passed);
    }
  }
};

struct StoreGradients {
  float* scale;
  float* shift;
  __device__ void operator()(int c, const float (&sums)[2]) const {
    shift[c] = sums[0];
    scale[c] = sums[1];
  }
};

// dx = scale / std (g - mean(g) - xhat mean(g xhat)), a line in g and x per channel.
template <typename T>
struct BackwardApply {
  const T* x;
  const T* g;  // dz where there is one, else dy
  T* dx;
  NormParameters p;
  const float* scale_gradient;
  const float* shift_gradient;
  float rows;
  bool relu;  // g has not passed the ReLU yet

  template <int N>
  struct Column : Line<N> {
    float by_x[N];
    float constant[N];
    __device__ Column(const BackwardApply& body, int column) : Line<N>(body.p, column) {
#pragma unroll
      for (int k = 0; k < N; ++k) {
        const int c = column + k;
        by_x[k] = -this->slope[k] * body.scale_gradient[c] / body.rows * body.p.inverse_std[c];
        constant[k] =
            -this->slope[k] * body.shift_gradient[c] / body.rows - by_x[k] * body.p.mean[c];
      }
    }
  };

  template <int N>
  __device__ void run(const Column<N>& column, std::int64_t at) const {
    const auto values = load<N>(x + at);
    const auto arriving = load<N>(g + at);
    float gradient[N];
#pragma unroll
    for (int k = 0; k < N; ++k) {
      gradient[k] = to_float(arriving.values[k]);
    }
    if (relu) {
      pass_relu<T, N>(nullptr, at, column, values, gradient);
    }
    Pack<T, N> result;
#pragma unroll
    for (int k = 0; k < N; ++k) {
      result.values[k] =
          from_float<T>(column.slope[k] * gradient[k] +
                        column.by_x[k] * to_float(values.values[k]) + column.constant[k]);
    }
    store<N>(dx + at, result);
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

void launch_norm_backward(const void* x,
                          const NormParameters& parameters,
                          const NormGradients& gradients,
                          float* partials,
                          ElementType type,
                          const TensorShape& shape,
                          bool relu,
                          cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    const auto* const in = static_cast<const T*>(x);
    const auto* const dy = static_cast<const T*>(gradients.dy);
    auto* const dz = static_cast<T*>(gradients.dz);
    sum_columns<T, 2>(
        BackwardSums<T>{in, static_cast<const T*>(gradients.y), dy, dz, parameters, relu},
        StoreGradients{gradients.scale, gradients.shift},
        partials,
        shape,
        stream);
    run_rows<T>(BackwardApply<T>{in,
                                 dz != nullptr ? dz : dy,
                                 static_cast<T*>(gradients.dx),
                                 parameters,
                                 gradients.scale,
                                 gradients.shift,
                                 static_cast<float>(shape.rows()),
                                 relu && dz == nullptr},
                shape,
                stream);
  });
}

}  // namespace rightsize::gpu
