// Local response normalisation across channels (Krizhevsky et al., NIPS 2012, section 3.3).
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/kernels.h"

namespace rightsize::gpu {
namespace {

struct Window {
  int channels;
  int before;
  int after;  // the longer of an even size (ONNX)
  float alpha_per_size;
  float beta;
  float k;
};

Window window(const Layer& layer, const TensorShape& shape) {
  return {static_cast<int>(shape.c),
          static_cast<int>((layer.lrn_size - 1) / 2),
          static_cast<int>(layer.lrn_size / 2),
          layer.lrn_alpha / static_cast<float>(layer.lrn_size),
          layer.lrn_beta,
          layer.lrn_k};
}

// Calls visit(j) for so many channels before and after `at`, as indices into the tensor.
template <typename Visit>
__device__ void around(
    const Window& win, std::int64_t at, int before, int after, Visit visit) {
  const int c = static_cast<int>(at % win.channels);
  const std::int64_t first = at - min(before, c);
  const std::int64_t last = at + min(after, win.channels - 1 - c);
  for (std::int64_t j = first; j <= last; ++j) {
    visit(j);
  }
}

template <typename T>
__global__ void forward(Window win, const T* x, T* y, float* scale, std::int64_t count) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    float squares = 0;
    around(win, i, win.before, win.after, [&](std::int64_t j) {
      const float value = to_float(x[j]);
      squares += value * value;
    });
    const float s = win.k + win.alpha_per_size * squares;
    scale[i] = s;
    y[i] = from_float<T>(to_float(x[i]) * powf(s, -win.beta));
  }
}

// dx_i = dy_i s_i^-beta - 2 alpha beta / size x_i sum_j dy_j y_j / s_j, of the j whose windows have
// i.
template <typename T>
__global__ void backward(Window win,
                         const T* x,
                         const T* y,
                         const float* scale,
                         const T* dy,
                         T* dx,
                         std::int64_t count) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    float sum = 0;
    // In whose windows i is.
    around(win, i, win.after, win.before, [&](std::int64_t j) {
      sum += to_float(dy[j]) * to_float(y[j]) / scale[j];
    });
    dx[i] = from_float<T>(to_float(dy[i]) * powf(scale[i], -win.beta) -
                          2 * win.alpha_per_size * win.beta * to_float(x[i]) * sum);
  }
}

}  // namespace

void launch_local_response_norm(const Layer& layer,
                                const void* x,
                                void* y,
                                float* scale,
                                ElementType type,
                                const TensorShape& shape,
                                cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    forward<<<blocks_for(shape.elements()), block_threads, 0, stream>>>(window(layer, shape),
                                                                        static_cast<const T*>(x),
                                                                        static_cast<T*>(y),
                                                                        scale,
                                                                        shape.elements());
  });
}

void launch_local_response_norm_backward(const Layer& layer,
                                         const void* x,
                                         const void* y,
                                         const float* scale,
                                         const void* dy,
                                         void* dx,
                                         ElementType type,
                                         const TensorShape& shape,
                                         cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    backward<<<blocks_for(shape.elements()), block_threads, 0, stream>>>(window(layer, shape),
                                                                         static_cast<const T*>(x),
                                                                         static_cast<const T*>(y),
                                                                         scale,
                                                                         static_cast<const T*>(dy),
                                                                         static_cast<T*>(dx),
                                                                         shape.elements());
  });
}

}  // namespace rightsize::gpu
