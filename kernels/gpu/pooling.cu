// Pooling in NHWC. Forward and backward both gather: one thread owns what it writes, so there are
// no atomics and the result does not depend on the order of threads.
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/window_kernels.h"

namespace rightsize::gpu {
namespace {

struct Windows {
  int in_h, in_w, out_h, out_w, c;
  int kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w;  // what pads the end shows in out_h
  bool count_padding;
};

Windows windows(const Layer& layer, const TensorShape& in, const TensorShape& out) {
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
          as_int(layer.pad_h),
          as_int(layer.pad_w),
          layer.count_padding};
}

struct Position {
  std::int64_t item;
  int h, w, c;
};

// `at` counts elements of an items x h x w x c tensor.
__device__ Position position(std::int64_t at, int h, int w, int c) {
  const std::int64_t pixel = at / c;
  const std::int64_t row = pixel / w;
  return {row / h,
          static_cast<int>(row % h),
          static_cast<int>(pixel % w),
          static_cast<int>(at - pixel * c)};
}

__device__ int first_window(int position, int pad, int kernel, int stride) {
  const int lowest = position + pad - kernel + 1;
  return lowest <= 0 ? 0 : (lowest + stride - 1) / stride;
}

__device__ int last_window(int position, int pad, int stride, int count) {
  const int highest = (position + pad) / stride;
  return highest < count ? highest : count - 1;
}

// What one position of the window at output (h, w) weighs in its average.
__device__ float share_of(const Windows& win, int h, int w) {
  if (win.count_padding) {
    return 1.0F / static_cast<float>(win.kernel_h * win.kernel_w);
  }
  const int top = h * win.stride_h - win.pad_h;
  const int left = w * win.stride_w - win.pad_w;
  const int rows = min(top + win.kernel_h, win.in_h) - max(top, 0);
  const int columns = min(left + win.kernel_w, win.in_w) - max(left, 0);
  return 1.0F / static_cast<float>(max(rows, 1) * max(columns, 1));
}

template <typename T>
struct MaxForward {
  Windows win;
  const T* x;
  T* y;
  unsigned char* mask;

  template <int N>
  __device__ void run(std::int64_t at) const {
    const auto p = position(at, win.out_h, win.out_w, win.c);
    float best[N];
    unsigned char where[N];
#pragma unroll
    for (int k = 0; k < N; ++k) {
      best[k] = -INFINITY;
      where[k] = 0;
    }
    const int top = p.h * win.stride_h - win.pad_h;
    const int left = p.w * win.stride_w - win.pad_w;
    for (int i = 0; i < win.kernel_h; ++i) {
      for (int j = 0; j < win.kernel_w; ++j) {
        const int h = top + i;
        const int w = left + j;
        if (h < 0 || h >= win.in_h || w < 0 || w >= win.in_w) {
          continue;
        }
        const auto values = load<N>(x + ((p.item * win.in_h + h) * win.in_w + w) * win.c + p.c);
#pragma unroll
        for (int k = 0; k < N; ++k) {
          const float value = to_float(values.values[k]);
          if (value > best[k] || isnan(value)) {
            best[k] = value;
            where[k] = static_cast<unsigned char>(i * win.kernel_w + j);
          }
        }
      }
    }
    for (int k = 0; k < N; ++k) {
      y[at + k] = from_float<T>(best[k]);
      if (mask != nullptr) {
        mask[at + k] = where[k];
      }
    }
  }
};

// The sum, over the windows that hold an input position, of what `term` says each passes on; it is
// asked with the window's h and w, the index of its output, the position in it, and its gradient.
template <typename T, int N, typename Term>
__device__ void gather(const Windows& win, const T* dy, T* dx, std::int64_t at, Term term) {
  const auto p = position(at, win.in_h, win.in_w, win.c);
  float sums[N] = {};
  const int last_h = last_window(p.h, win.pad_h, win.stride_h, win.out_h);
  const int last_w = last_window(p.w, win.pad_w, win.stride_w, win.out_w);
  for (int h = first_window(p.h, win.pad_h, win.kernel_h, win.stride_h); h <= last_h; ++h) {
    for (int w = first_window(p.w, win.pad_w, win.kernel_w, win.stride_w); w <= last_w; ++w) {
      const std::int64_t from = ((p.item * win.out_h + h) * win.out_w + w) * win.c + p.c;
      const int i = p.h + win.pad_h - h * win.stride_h;
      const int j = p.w + win.pad_w - w * win.stride_w;
      const auto arriving = load<N>(dy + from);
#pragma unroll
      for (int k = 0; k < N; ++k) {
        sums[k] += term(h, w, from + k, i * win.kernel_w + j, to_float(arriving.values[k]));
      }
    }
  }
  for (int k = 0; k < N; ++k) {
    dx[at + k] = from_float<T>(sums[k]);
  }
}

template <typename T>
struct MaxBackward {
  Windows win;
  const T* dy;
  T* dx;
  const unsigned char* mask;

  template <int N>
  __device__ void run(std::int64_t at) const {
    gather<T, N>(win, dy, dx, at, [&](int, int, std::int64_t from, int offset, float gradient) {
      return mask[from] == offset ? gradient : 0.0F;
    });
  }
};

template <typename T>
struct AverageForward {
  Windows win;
  const T* x;
  T* y;

  template <int N>
  __device__ void run(std::int64_t at) const {
    const auto p = position(at, win.out_h, win.out_w, win.c);
    float sums[N] = {};
    const int top = p.h * win.stride_h - win.pad_h;
    const int left = p.w * win.stride_w - win.pad_w;
    for (int h = max(top, 0); h < min(top + win.kernel_h, win.in_h); ++h) {
      for (int w = max(left, 0); w < min(left + win.kernel_w, win.in_w); ++w) {
        const auto values = load<N>(x + ((p.item * win.in_h + h) * win.in_w + w) * win.c + p.c);
#pragma unroll
        for (int k = 0; k < N; ++k) {
          sums[k] += to_float(values.values[k]);
        }
      }
    }
    const float share = share_of(win, p.h, p.w);
    for (int k = 0; k < N; ++k) {
      y[at + k] = from_float<T>(sums[k] * share);
    }
  }
};

template <typename T>
struct AverageBackward {
  Windows win;
  const T* dy;
  T* dx;

  template <int N>
  __device__ void run(std::int64_t at) const {
    gather<T, N>(win, dy, dx, at, [&](int h, int w, std::int64_t, int, float gradient) {
      return gradient * share_of(win, h, w);
    });
  }
};

// A pack must not reach over a pixel's channels.
template <typename T, int N, typename Body>
__global__ void for_each_channel_pack(std::int64_t packs, Body body) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < packs;
       i += stride) {
    body.template run<N>(i * N);
  }
}

template <typename T, typename Body>
void run_pixels(const TensorShape& shape, cudaStream_t stream, const Body& body) {
  constexpr int width = 4;  // enough to be wide, few enough registers
  if (shape.c % width == 0) {
    const auto packs = shape.elements() / width;
    for_each_channel_pack<T, width><<<blocks_for(packs), block_threads, 0, stream>>>(packs, body);
  } else {
    for_each_channel_pack<T, 1>
        <<<blocks_for(shape.elements()), block_threads, 0, stream>>>(shape.elements(), body);
  }
}

}  // namespace

void launch_max_pool(const Layer& layer,
                     const void* x,
                     const TensorShape& in,
                     void* y,
                     const TensorShape& out,
                     unsigned char* mask,
                     ElementType type,
                     cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    run_pixels<T>(
        out,
        stream,
        MaxForward<T>{windows(layer, in, out), static_cast<const T*>(x), static_cast<T*>(y), mask});
  });
}

void launch_max_pool_backward(const Layer& layer,
                              const void* dy,
                              const TensorShape& out,
                              void* dx,
                              const TensorShape& in,
                              const unsigned char* mask,
                              ElementType type,
                              cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    run_pixels<T>(
        in,
        stream,
        MaxBackward<T>{
            windows(layer, in, out), static_cast<const T*>(dy), static_cast<T*>(dx), mask});
  });
}

void launch_average_pool(const Layer& layer,
                         const void* x,
                         const TensorShape& in,
                         void* y,
                         const TensorShape& out,
                         ElementType type,
                         cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    run_pixels<T>(
        out,
        stream,
        AverageForward<T>{windows(layer, in, out), static_cast<const T*>(x), static_cast<T*>(y)});
  });
}

void launch_average_pool_backward(const Layer& layer,
                                  const void* dy,
                                  const TensorShape& out,
                                  void* dx,
                                  const TensorShape& in,
                                  ElementType type,
                                  cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    run_pixels<T>(in,
                  stream,
                  AverageBackward<T>{
                      windows(layer, in, out), static_cast<const T*>(dy), static_cast<T*>(dx)});
  });
}

}  // namespace rightsize::gpu
