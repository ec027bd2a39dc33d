// The gradients of batch normalisation with its addend and ReLU. Reads x and dy twice, and tells
// the ReLU's side from x again where there is no addend, so y is not read at all.
#include "kernels/gpu/columns.cuh"
#include "kernels/gpu/norm.cuh"

namespace rightsize::gpu {
namespace {

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

}  // namespace

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
