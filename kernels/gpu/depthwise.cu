// Convolutions of each channel with a filter of its own, in NHWC. All three passes gather: one
// thread owns what it writes, so there are no atomics. A filter's values lie together (channel x
// window), as everywhere in the engine.
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/window_kernels.h"

namespace rightsize::gpu {
namespace {

struct Geometry {
  int in_h, in_w, out_h, out_w, c;
  int kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w;
  int pad_h, pad_w;  // above and left; what pads the end shows in out_h and out_w

  __device__ int area() const { return kernel_h * kernel_w; }
};

Geometry geometry(const Layer& layer, const TensorShape& in, const TensorShape& out) {
  const auto as_int = [](std::int64_t value) { return static_cast<int>(value); };
  return {as_int(in.h),
          as_int(in.w),
          as_int(out.h),
          as_int(out.w),
          as_int(in.c),
          as_int(layer.kernel_h),
          as_int(layer.kernel_w),
          as_int(layer.stride_h),
          as_int(layer.stride_w),
          as_int(layer.dilation_h),
          as_int(layer.dilation_w),
          as_int(layer.pad_h),
          as_int(layer.pad_w)};
}

struct Place {
  std::int64_t item;
  int h, w;
};

__device__ Place place(std::int64_t pixel, int h, int w) {
  const std::int64_t row = pixel / w;
  return {row / h, static_cast<int>(row % h), static_cast<int>(pixel % w)};
}

// The output whose window holds `at` under filter position `tap`, or -1.
__device__ int output_over(int at, int pad, int tap, int dilation, int stride, int count) {
  const int start = at + pad - tap * dilation;
  const int output = start / stride;
  return start >= 0 && output * stride == start && output < count ? output : -1;
}

template <typename T>
struct Convolve {
  Geometry g;
  const T* x;
  const T* weights;
  const float* bias;  // null: none
  T* y;
  bool relu;

  template <int N>
  __device__ void run(std::int64_t pixel, int column) const {
    const auto p = place(pixel, g.out_h, g.out_w);
    float sums[N];
#pragma unroll
    for (int k = 0; k < N; ++k) {
      sums[k] = bias != nullptr ? bias[column + k] : 0.0F;
    }
    for (int i = 0; i < g.kernel_h; ++i) {
      const int h = p.h * g.stride_h - g.pad_h + i * g.dilation_h;
      for (int j = 0; j < g.kernel_w; ++j) {
        const int w = p.w * g.stride_w - g.pad_w + j * g.dilation_w;
        if (h < 0 || h >= g.in_h || w < 0 || w >= g.in_w) {
          continue;
        }
        const auto values = load<N>(x + ((p.item * g.in_h + h) * g.in_w + w) * g.c + column);
        const T* const tap = weights + column * g.area() + i * g.kernel_w + j;
#pragma unroll
        for (int k = 0; k < N; ++k) {
          sums[k] += to_float(values.values[k]) * to_float(tap[k * g.area()]);
        }
      }
    }
    Pack<T, N> result;
#pragma unroll
    for (int k = 0; k < N; ++k) {
      result.values[k] = from_float<T>(relu ? positive_part(sums[k]) : sums[k]);
    }
    store<N>(y + pixel * g.c + column, result);
  }
};

template <typename T>
struct ConvolveBack {
  Geometry g;
  const T* dy;
  const T* weights;
  T* dx;

  template <int N>
  __device__ void run(std::int64_t pixel, int column) const {
    const auto p = place(pixel, g.in_h, g.in_w);
    float sums[N] = {};
    for (int i = 0; i < g.kernel_h; ++i) {
      const int h = output_over(p.h, g.pad_h, i, g.dilation_h, g.stride_h, g.out_h);
      for (int j = 0; j < g.kernel_w; ++j) {
        const int w = output_over(p.w, g.pad_w, j, g.dilation_w, g.stride_w, g.out_w);
        if (h < 0 || w < 0) {
          continue;
        }
        const auto values = load<N>(dy + ((p.item * g.out_h + h) * g.out_w + w) * g.c + column);
        const T* const tap = weights + column * g.area() + i * g.kernel_w + j;
#pragma unroll
        for (int k = 0; k < N; ++k) {
          sums[k] += to_float(values.values[k]) * to_float(tap[k * g.area()]);
        }
      }
    }
    Pack<T, N> result;
#pragma unroll
    for (int k = 0; k < N; ++k) {
      result.values[k] = from_float<T>(sums[k]);
    }
    store<N>(dx + pixel * g.c + column, result);
  }
};

template <typename T, int N, typename Body>
__global__ void for_each_pixel_pack(std::int64_t packs, int row_packs, Body body) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < packs;
       i += stride) {
    const std::int64_t pixel = i / row_packs;
    body.template run<N>(pixel, static_cast<int>(i - pixel * row_packs) * N);
  }
}

template <typename T, typename Body>
void run_pixels(const TensorShape& shape, cudaStream_t stream, const Body& body) {
  constexpr int width = 4;  // enough to be wide, few enough registers
  const auto channels = static_cast<int>(shape.c);
  const auto packs = shape.elements() / (channels % width == 0 ? width : 1);
  if (channels % width == 0) {
    for_each_pixel_pack<T, width>
        <<<blocks_for(packs), block_threads, 0, stream>>>(packs, channels / width, body);
  } else {
    for_each_pixel_pack<T, 1>
        <<<blocks_for(packs), block_threads, 0, stream>>>(packs, channels, body);
  }
}

constexpr unsigned columns_x = 32;    // channels of a block: neighbours, so that loads coalesce
constexpr unsigned rows_y = 8;        // threads that share a channel's outputs within a block
constexpr unsigned most_chunks = 64;  // blocks that share them

// partials[chunk][tap][channel]; gridDim = (blocks of channels, taps, chunks).
template <typename T>
__global__ void filter_partials(
    Geometry g, const T* x, const T* dy, float* partials, std::int64_t pixels) {
  __shared__ float shared[rows_y][columns_x];
  const int channel = static_cast<int>(blockIdx.x * columns_x + threadIdx.x);
  const int i = static_cast<int>(blockIdx.y) / g.kernel_w;
  const int j = static_cast<int>(blockIdx.y) % g.kernel_w;
  float sum = 0;
  if (channel < g.c) {
    const std::int64_t stride = std::int64_t{gridDim.z} * rows_y;
    for (std::int64_t pixel = std::int64_t{blockIdx.z} * rows_y + threadIdx.y; pixel < pixels;
         pixel += stride) {
      const auto p = place(pixel, g.out_h, g.out_w);
      const int h = p.h * g.stride_h - g.pad_h + i * g.dilation_h;
      const int w = p.w * g.stride_w - g.pad_w + j * g.dilation_w;
      if (h >= 0 && h < g.in_h && w >= 0 && w < g.in_w) {
        sum += to_float(dy[pixel * g.c + channel]) *
               to_float(x[((p.item * g.in_h + h) * g.in_w + w) * g.c + channel]);
      }
    }
  }
  shared[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && channel < g.c) {
    float total = 0;
    for (unsigned y = 0; y < rows_y; ++y) {
      total += shared[y][threadIdx.x];
    }
    partials[(std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * g.c + channel] = total;
  }
}

// gradient[channel][tap], the chunks added in order: the same input gives the same bits.
template <typename T>
__global__ void filter_finish(const float* partials, T* gradient, int chunks, int area, int c) {
  const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (at < area * c) {
    float total = 0;
    for (int chunk = 0; chunk < chunks; ++chunk) {
      total += partials[(std::int64_t{chunk} * area + at % area) * c + at / area];
    }
    gradient[at] = from_float<T>(total);
  }
}

}  // namespace

void launch_depthwise(const Layer& layer,
                      const DepthwiseTensors& tensors,
                      const float* bias,
                      ElementType type,
                      bool relu,
                      cudaStream_t stream) {
  const auto& t = tensors;
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    run_pixels<T>(t.out,
                  stream,
                  Convolve<T>{geometry(layer, t.in, t.out),
                              static_cast<const T*>(t.x),
                              static_cast<const T*>(t.weights),
                              bias,
                              static_cast<T*>(t.y),
                              relu});
  });
}

void launch_depthwise_backward_data(const Layer& layer,
                                    const DepthwiseTensors& tensors,
                                    ElementType type,
                                    cudaStream_t stream) {
  const auto& t = tensors;
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    run_pixels<T>(t.in,
                  stream,
                  ConvolveBack<T>{geometry(layer, t.in, t.out),
                                  static_cast<const T*>(t.y),
                                  static_cast<const T*>(t.weights),
                                  static_cast<T*>(t.x)});
  });
}

std::int64_t depthwise_partial_floats(const Layer& layer) {
  return std::int64_t{most_chunks} * layer.kernel_h * layer.kernel_w * layer.out.c;
}

void launch_depthwise_backward_filter(const Layer& layer,
                                      const DepthwiseTensors& tensors,
                                      float* partials,
                                      ElementType type,
                                      cudaStream_t stream) {
  const auto& t = tensors;
  const auto g = geometry(layer, t.in, t.out);
  const int area = g.kernel_h * g.kernel_w;
  const auto pixels = t.out.rows();
  const std::int64_t wanted = (pixels + rows_y - 1) / rows_y;
  const auto chunks = static_cast<unsigned>(wanted < most_chunks ? wanted : most_chunks);
  const dim3 grid((static_cast<unsigned>(g.c) + columns_x - 1) / columns_x,
                  static_cast<unsigned>(area),
                  chunks);
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    filter_partials<<<grid, dim3(columns_x, rows_y), 0, stream>>>(
        g, static_cast<const T*>(t.x), static_cast<const T*>(t.y), partials, pixels);
    const auto blocks = static_cast<unsigned>((area * g.c + block_threads - 1) / block_threads);
    filter_finish<<<blocks, block_threads, 0, stream>>>(
        partials, static_cast<T*>(t.weights), static_cast<int>(chunks), area, g.c);
  });
}

}  // namespace rightsize::gpu
