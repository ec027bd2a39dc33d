// Layer normalisation (Ba, Kiros, Hinton, 2016) and RMS normalisation (Zhang and Sennrich, NeurIPS
// 2019): one warp per row, in three readings of it of which the first alone comes from memory.
#include "kernels/gpu/columns.cuh"
#include "kernels/gpu/sequence_kernels.h"
#include "kernels/gpu/warp.cuh"

namespace rightsize::gpu {
namespace {

constexpr int rows_per_block = block_threads / warp_threads;

__device__ std::int64_t row_of_warp() {
  return std::int64_t{blockIdx.x} * rows_per_block + threadIdx.x / warp_threads;
}

unsigned row_blocks_of(std::int64_t rows) {
  return static_cast<unsigned>((rows + rows_per_block - 1) / rows_per_block);
}

// Calls visit(column, pack) for this thread's packs of a row.
template <int N, typename T, typename Visit>
__device__ void for_row(const T* row, int width, Visit visit) {
  for (int c = static_cast<int>(threadIdx.x % warp_threads) * N; c < width; c += warp_threads * N) {
    visit(c, load<N>(row + c));
  }
}

template <typename T, int N>
__global__ void normalise_rows(
    const T* x, T* y, RowNormParameters p, std::int64_t rows, int width) {
  const std::int64_t row = row_of_warp();
  if (row >= rows) {
    return;
  }
  const T* const from = x + row * width;
  const auto count = static_cast<float>(width);
  float mean = 0;
  if (p.centred) {
    float sum = 0;
    for_row<N>(from, width, [&](int, const Pack<T, N>& pack) {
      for (int k = 0; k < N; ++k) {
        sum += to_float(pack.values[k]);
      }
    });
    mean = warp_sum(sum) / count;
  }
  float squares = 0;
  for_row<N>(from, width, [&](int, const Pack<T, N>& pack) {
    for (int k = 0; k < N; ++k) {
      const float distance = to_float(pack.values[k]) - mean;
      squares += distance * distance;
    }
  });
  const float inverse = 1.0F / sqrtf(warp_sum(squares) / count + p.epsilon);
  for_row<N>(from, width, [&](int c, Pack<T, N> pack) {
    for (int k = 0; k < N; ++k) {
      const float value = (to_float(pack.values[k]) - mean) * inverse * p.scale[c + k];
      pack.values[k] = from_float<T>(p.shift == nullptr ? value : value + p.shift[c + k]);
    }
    store<N>(y + row * width + c, pack);
  });
  if (threadIdx.x % warp_threads == 0) {
    p.statistics[2 * row] = mean;
    p.statistics[2 * row + 1] = inverse;
  }
}

// dx = inverse (g - mean(g) - x^ mean(g x^)) with g = dy scale and x^ the normalised x; no mean(g)
// where nothing was centred.
template <typename T, int N>
__global__ void normalise_rows_backward(
    const T* x, const T* dy, T* dx, RowNormParameters p, std::int64_t rows, int width) {
  const std::int64_t row = row_of_warp();
  if (row >= rows) {
    return;
  }
  const float mean = p.statistics[2 * row];
  const float inverse = p.statistics[2 * row + 1];
  const T* const gradient = dy + row * width;
  float along = 0;
  float level = 0;
  for_row<N>(x + row * width, width, [&](int c, const Pack<T, N>& pack) {
    const auto arriving = load<N>(gradient + c);
    for (int k = 0; k < N; ++k) {
      const float g = to_float(arriving.values[k]) * p.scale[c + k];
      along += g * (to_float(pack.values[k]) - mean) * inverse;
      level += g;
    }
  });
  along = warp_sum(along) / static_cast<float>(width);
  level = p.centred ? warp_sum(level) / static_cast<float>(width) : 0.0F;
  for_row<N>(x + row * width, width, [&](int c, Pack<T, N> pack) {
    const auto arriving = load<N>(gradient + c);
    for (int k = 0; k < N; ++k) {
      const float normalised = (to_float(pack.values[k]) - mean) * inverse;
      const float g = to_float(arriving.values[k]) * p.scale[c + k];
      pack.values[k] = from_float<T>(inverse * (g - level - normalised * along));
    }
    store<N>(dx + row * width + c, pack);
  });
}

// Sums over all rows of dy and of dy x^.
template <typename T>
struct ParameterSums {
  const T* x;
  const T* dy;
  const float* statistics;
  int width;

  template <int N>
  struct Column {
    __device__ Column(const ParameterSums&, int) {}
  };

  template <int N>
  __device__ void add(const Column<N>&, std::int64_t at, float (&sums)[2][N]) const {
    const std::int64_t row = at / width;
    const float mean = statistics[2 * row];
    const float inverse = statistics[2 * row + 1];
    const auto values = load<N>(x + at);
    const auto arriving = load<N>(dy + at);
#pragma unroll
    for (int k = 0; k < N; ++k) {
      const float gradient = to_float(arriving.values[k]);
      sums[0][k] += gradient;
      sums[1][k] += gradient * (to_float(values.values[k]) - mean) * inverse;
    }
  }
};

struct StoreParameterGradients {
  float* scale;
  float* shift;
  __device__ void operator()(int c, const float (&sums)[2]) const {
    scale[c] = sums[1];
    if (shift != nullptr) {
      shift[c] = sums[0];
    }
  }
};

}  // namespace

void launch_row_norm(const void* x,
                     void* y,
                     const RowNormParameters& parameters,
                     ElementType type,
                     const TensorShape& shape,
                     cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    const auto kernel =
        shape.c % lanes<T> == 0 ? normalise_rows<T, lanes<T>> : normalise_rows<T, 1>;
    kernel<<<row_blocks_of(shape.rows()), block_threads, 0, stream>>>(static_cast<const T*>(x),
                                                                      static_cast<T*>(y),
                                                                      parameters,
                                                                      shape.rows(),
                                                                      static_cast<int>(shape.c));
  });
}

// The sums first: dx may take dy's place.
void launch_row_norm_backward(const void* x,
                              const RowNormParameters& parameters,
                              const RowNormGradients& gradients,
                              float* partials,
                              ElementType type,
                              const TensorShape& shape,
                              cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    const auto* const in = static_cast<const T*>(x);
    const auto* const dy = static_cast<const T*>(gradients.dy);
    const auto width = static_cast<int>(shape.c);
    sum_columns<T, 2>(ParameterSums<T>{in, dy, parameters.statistics, width},
                      StoreParameterGradients{gradients.scale, gradients.shift},
                      partials,
                      shape,
                      stream);
    const auto kernel = shape.c % lanes<T> == 0 ? normalise_rows_backward<T, lanes<T>>
                                                : normalise_rows_backward<T, 1>;
    kernel<<<row_blocks_of(shape.rows()), block_threads, 0, stream>>>(
        in, dy, static_cast<T*>(gradients.dx), parameters, shape.rows(), width);
  });
}

}  // namespace rightsize::gpu
