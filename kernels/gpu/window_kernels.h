// Our own kernels that slide a window over images: pooling and convolutions of single channels. As
// in kernels.h; padding is taken from the layer in front, and behind it is what the shapes leave.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/gpu/element.h"
#include "kernels/layer.h"

namespace rightsize::gpu {

// Windows of `layer`; `mask` (one byte per output) remembers where each maximum was, may be null.
void launch_max_pool(const Layer& layer,
                     const void* x,
                     const TensorShape& in,
                     void* y,
                     const TensorShape& out,
                     unsigned char* mask,
                     ElementType type,
                     cudaStream_t stream);
void launch_max_pool_backward(const Layer& layer,
                              const void* dy,
                              const TensorShape& out,
                              void* dx,
                              const TensorShape& in,
                              const unsigned char* mask,
                              ElementType type,
                              cudaStream_t stream);
// The divisor is the window's area where the layer counts padding, else the positions inside.
void launch_average_pool(const Layer& layer,
                         const void* x,
                         const TensorShape& in,
                         void* y,
                         const TensorShape& out,
                         ElementType type,
                         cudaStream_t stream);
void launch_average_pool_backward(const Layer& layer,
                                  const void* dy,
                                  const TensorShape& out,
                                  void* dx,
                                  const TensorShape& in,
                                  ElementType type,
                                  cudaStream_t stream);

// A convolution of every channel with a filter of its own; weights are c x window. What a launch
// writes is its result, the others are read: y, x or weights (or gradients in their place).
struct DepthwiseTensors {
  void* x;
  TensorShape in;
  void* weights;
  void* y;
  TensorShape out;
};

// y; `bias` may be null.
void launch_depthwise(const Layer& layer,
                      const DepthwiseTensors& tensors,
                      const float* bias,
                      ElementType type,
                      bool relu,
                      cudaStream_t stream);
void launch_depthwise_backward_data(const Layer& layer,  // x
                                    const DepthwiseTensors& tensors,
                                    ElementType type,
                                    cudaStream_t stream);
// weights; `partials` holds depthwise_partial_floats(layer) values.
void launch_depthwise_backward_filter(const Layer& layer,
                                      const DepthwiseTensors& tensors,
                                      float* partials,
                                      ElementType type,
                                      cudaStream_t stream);
[[nodiscard]] std::int64_t depthwise_partial_floats(const Layer& layer);

}  // namespace rightsize::gpu
