// Copies between tensors of different extent: channels out of and into wider rows, and images into
// and out of a frame.
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/kernels.h"

namespace rightsize::gpu {
namespace {

// Packs of N channels; `row_packs` of them make the slice of one row.
template <typename T, int N>
__global__ void copy_slice(const T* from,
                           std::int64_t from_stride,
                           T* to,
                           std::int64_t to_stride,
                           std::int64_t packs,
                           std::int64_t row_packs) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < packs; i += step) {
    const std::int64_t row = i / row_packs;
    const std::int64_t column = (i - row * row_packs) * N;
    store<N>(to + row * to_stride + column, load<N>(from + row * from_stride + column));
  }
}

// Where one row reads is all over it, where it writes in order.
template <typename T>
__global__ void shuffle_rows(const T* from,
                             T* to,
                             std::int64_t count,
                             std::int64_t channels,
                             std::int64_t groups) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  const std::int64_t each = channels / groups;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const std::int64_t row = i / channels;
    const std::int64_t channel = i - row * channels;
    const std::int64_t place = channel / groups;
    to[i] = from[row * channels + (channel - place * groups) * each + place];
  }
}

// Packs of N channels of `to`; (top, left) is where its first position lies in `from`.
template <typename T, int N>
__global__ void copy_frame(const T* from,
                           TensorShape in,
                           T* to,
                           TensorShape out,
                           std::int64_t top,
                           std::int64_t left,
                           std::int64_t packs) {
  const std::int64_t row_packs = out.c / N;
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < packs; i += step) {
    const std::int64_t pixel = i / row_packs;
    const std::int64_t column = (i - pixel * row_packs) * N;
    const std::int64_t line = pixel / out.w;
    const std::int64_t item = line / out.h;
    const std::int64_t h = line - item * out.h + top;
    const std::int64_t w = pixel - line * out.w + left;
    Pack<T, N> values;
    if (h >= 0 && h < in.h && w >= 0 && w < in.w) {
      values = load<N>(from + ((item * in.h + h) * in.w + w) * in.c + column);
    } else {
#pragma unroll
      for (int k = 0; k < N; ++k) {
        values.values[k] = from_float<T>(0.0F);
      }
    }
    store<N>(to + i * N, values);
  }
}

}  // namespace

void launch_copy_channels(const void* from,
                          const ChannelSlice& source,
                          void* to,
                          const ChannelSlice& target,
                          ElementType type,
                          std::int64_t rows,
                          std::int64_t channels,
                          cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    const auto run = [&](auto kernel, std::int64_t width) {
      const auto packs = rows * channels / width;
      kernel<<<blocks_for(packs), block_threads, 0, stream>>>(
          static_cast<const T*>(from) + source.first,
          source.stride,
          static_cast<T*>(to) + target.first,
          target.stride,
          packs,
          channels / width);
    };
    const auto all = channels | source.first | source.stride | target.first | target.stride;
    if (all % lanes<T> == 0) {  // a power of two divides them all when it divides their union
      run(copy_slice<T, lanes<T>>, lanes<T>);
    } else {
      run(copy_slice<T, 1>, 1);
    }
  });
}

void launch_shuffle_channels(const void* from,
                             void* to,
                             ElementType type,
                             std::int64_t rows,
                             std::int64_t channels,
                             std::int64_t groups,
                             cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    const auto count = rows * channels;
    shuffle_rows<T><<<blocks_for(count), block_threads, 0, stream>>>(
        static_cast<const T*>(from), static_cast<T*>(to), count, channels, groups);
  });
}

void launch_copy_frame(const void* from,
                       const TensorShape& in,
                       void* to,
                       const TensorShape& out,
                       std::int64_t top,
                       std::int64_t left,
                       ElementType type,
                       cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    const auto run = [&](auto kernel, std::int64_t width) {
      const auto packs = out.elements() / width;
      kernel<<<blocks_for(packs), block_threads, 0, stream>>>(
          static_cast<const T*>(from), in, static_cast<T*>(to), out, top, left, packs);
    };
    if (out.c % lanes<T> == 0) {
      run(copy_frame<T, lanes<T>>, lanes<T>);
    } else {
      run(copy_frame<T, 1>, 1);
    }
  });
}

}  // namespace rightsize::gpu
