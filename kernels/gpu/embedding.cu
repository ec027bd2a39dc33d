// Token ids -> rows of a table, and back; ones among zeros; and the tables of positions.
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/sequence_kernels.h"
#include "kernels/gpu/warp.cuh"

namespace rightsize::gpu {
namespace {

// Packs of N features; `row_packs` of them make a row.
template <typename T, int N>
__global__ void look_up(
    const T* table, const int* tokens, T* y, std::int64_t packs, std::int64_t row_packs) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < packs; i += step) {
    const std::int64_t row = i / row_packs;
    const std::int64_t column = (i - row * row_packs) * N;
    store<N>(y + i * N, load<N>(table + tokens[row] * row_packs * N + column));
  }
}

constexpr int columns_per_thread = 4;
constexpr int block_columns = block_threads * columns_per_thread;
constexpr int warps = block_threads / warp_threads;

// One block per row of dy and `block_columns` of its features. The block of a token's first row
// adds up all rows of that token; the others have nothing to do.
template <typename T>
__global__ void gather_rows(
    const T* dy, const int* tokens, float* gradient, std::int64_t rows, std::int64_t width) {
  __shared__ unsigned matches[warps];
  __shared__ int seen_before;
  const std::int64_t mine = blockIdx.x;
  const int token = tokens[mine];
  if (threadIdx.x == 0) {
    seen_before = 0;
  }
  __syncthreads();
  for (std::int64_t i = threadIdx.x; i < mine; i += block_threads) {
    if (tokens[i] == token) {
      seen_before = 1;  // every writer writes the same
    }
  }
  __syncthreads();
  if (seen_before != 0) {
    return;
  }
  const std::int64_t first = std::int64_t{blockIdx.y} * block_columns + threadIdx.x;
  float sums[columns_per_thread] = {};
  for (std::int64_t base = mine; base < rows; base += block_threads) {
    const std::int64_t candidate = base + threadIdx.x;
    const bool match = candidate < rows && tokens[candidate] == token;
    const unsigned found = __ballot_sync(whole_warp, match);
    if (threadIdx.x % warp_threads == 0) {
      matches[threadIdx.x / warp_threads] = found;
    }
    __syncthreads();
    for (int w = 0; w < warps; ++w) {
      for (unsigned left = matches[w]; left != 0; left &= left - 1) {
        const int lowest = __popc((left & (0U - left)) - 1);
        const T* const row = dy + (base + w * warp_threads + lowest) * width;
#pragma unroll
        for (int k = 0; k < columns_per_thread; ++k) {
          const std::int64_t column = first + k * block_threads;
          sums[k] += column < width ? to_float(row[column]) : 0.0F;
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int k = 0; k < columns_per_thread; ++k) {
    const std::int64_t column = first + k * block_threads;
    if (column < width) {
      gradient[token * width + column] += sums[k];
    }
  }
}

template <typename T>
__global__ void one_hot(const int* tokens, T* y, std::int64_t count, std::int64_t width) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const std::int64_t row = i / width;
    y[i] = from_float<T>(i - row * width == tokens[row] ? 1.0F : 0.0F);
  }
}

template <typename T, int N>
__global__ void add_positions(const T* x,
                              const T* table,
                              const T* segment,
                              T* y,
                              std::int64_t packs,
                              std::int64_t row_packs,
                              std::int64_t positions,
                              const StepState* state) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < packs; i += step) {
    const std::int64_t row = i / row_packs;
    const std::int64_t column = (i - row * row_packs) * N;
    const std::int64_t position = row % positions + state->position;
    auto values = load<N>(x + i * N);
    const auto learned = load<N>(table + position * row_packs * N + column);
#pragma unroll
    for (int k = 0; k < N; ++k) {
      const float more = segment == nullptr ? 0.0F : to_float(segment[column + k]);
      values.values[k] =
          from_float<T>(to_float(values.values[k]) + to_float(learned.values[k]) + more);
    }
    store<N>(y + i * N, values);
  }
}

// `count` values of one item.
template <typename T>
__global__ void sum_items(const T* dy, float* gradient, std::int64_t items, std::int64_t count) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    float sum = 0;
    for (std::int64_t n = 0; n < items; ++n) {
      sum += to_float(dy[n * count + i]);
    }
    gradient[i] = sum;
  }
}

__global__ void next_position(StepState* state, int prompt, int positions) {
  ++state->step;
  state->position = state->position + 1 == positions ? prompt : state->position + 1;
}

}  // namespace

void launch_look_up(const void* table,
                    const int* tokens,
                    void* y,
                    ElementType type,
                    const TensorShape& shape,
                    cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    const auto run = [&](auto kernel, std::int64_t width) {
      const auto packs = shape.elements() / width;
      kernel<<<blocks_for(packs), block_threads, 0, stream>>>(
          static_cast<const T*>(table), tokens, static_cast<T*>(y), packs, shape.c / width);
    };
    if (shape.c % lanes<T> == 0) {
      run(look_up<T, lanes<T>>, lanes<T>);
    } else {
      run(look_up<T, 1>, 1);
    }
  });
}

void launch_look_up_gradient(const void* dy,
                             const int* tokens,
                             float* gradient,
                             ElementType type,
                             const TensorShape& shape,
                             cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(shape.rows()),
                  static_cast<unsigned>((shape.c + block_columns - 1) / block_columns));
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    gather_rows<<<grid, block_threads, 0, stream>>>(
        static_cast<const T*>(dy), tokens, gradient, shape.rows(), shape.c);
  });
}

void launch_one_hot(
    const int* tokens, void* y, ElementType type, const TensorShape& shape, cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    one_hot<<<blocks_for(shape.elements()), block_threads, 0, stream>>>(
        tokens, static_cast<T*>(y), shape.elements(), shape.c);
  });
}

void launch_add_positions(const void* x,
                          const void* table,
                          const void* segment,
                          void* y,
                          ElementType type,
                          const TensorShape& shape,
                          const StepState* state,
                          cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    const auto run = [&](auto kernel, std::int64_t width) {
      const auto packs = shape.elements() / width;
      kernel<<<blocks_for(packs), block_threads, 0, stream>>>(static_cast<const T*>(x),
                                                              static_cast<const T*>(table),
                                                              static_cast<const T*>(segment),
                                                              static_cast<T*>(y),
                                                              packs,
                                                              shape.c / width,
                                                              shape.h * shape.w,
                                                              state);
    };
    if (shape.c % lanes<T> == 0) {
      run(add_positions<T, lanes<T>>, lanes<T>);
    } else {
      run(add_positions<T, 1>, 1);
    }
  });
}

void launch_position_gradient(const void* dy,
                              float* gradient,
                              ElementType type,
                              const TensorShape& shape,
                              cudaStream_t stream) {
  const auto count = shape.elements() / shape.n;
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    sum_items<<<blocks_for(count), block_threads, 0, stream>>>(
        static_cast<const T*>(dy), gradient, shape.n, count);
  });
}

void launch_next_position(StepState* state, int prompt, int positions, cudaStream_t stream) {
  next_position<<<1, 1, 0, stream>>>(state, prompt, positions);
}

}  // namespace rightsize::gpu
