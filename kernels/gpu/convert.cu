#include "kernels/gpu/element.cuh"
#include "kernels/gpu/kernels.h"

namespace rightsize::gpu {
namespace {

// One thread per pixel: it reads each plane with its neighbours and writes its channels together.
template <typename T>
__global__ void images_to_channels_last(
    const float* images, T* out, std::int64_t pixels, std::int64_t area, std::int64_t channels) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < pixels;
       i += stride) {
    const std::int64_t item = i / area;
    const std::int64_t at = i - item * area;
    const float* const planes = images + item * channels * area + at;
    for (std::int64_t c = 0; c < channels; ++c) {
      out[i * channels + c] = from_float<T>(planes[c * area]);
    }
  }
}

template <typename From, typename To>
__global__ void convert(const From* in, To* out, std::int64_t count) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    out[i] = from_float<To>(to_float(in[i]));
  }
}

}  // namespace

void launch_images(const float* images,
                   void* out,
                   ElementType type,
                   const TensorShape& shape,
                   cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    images_to_channels_last<<<blocks_for(shape.rows()), block_threads, 0, stream>>>(
        images, static_cast<T*>(out), shape.rows(), shape.h * shape.w, shape.c);
  });
}

void launch_from_float(
    const float* in, void* out, ElementType type, std::int64_t count, cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    convert<<<blocks_for(count), block_threads, 0, stream>>>(in, static_cast<T*>(out), count);
  });
}

void launch_to_float(
    const void* in, float* out, ElementType type, std::int64_t count, cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    convert<<<blocks_for(count), block_threads, 0, stream>>>(static_cast<const T*>(in), out, count);
  });
}

}  // namespace rightsize::gpu
