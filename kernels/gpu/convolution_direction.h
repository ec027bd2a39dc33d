// cuDNN's three convolutions, forward and the two of the backward pass, in one form: each can be
// guessed at (which algorithms, how much workspace), tried on real buffers, and run.
#pragma once

#include <cstddef>

#include <cudnn.h>

#include "kernels/gpu/algorithm.h"
#include "kernels/gpu/handles.h"
#include "kernels/layer.h"

namespace rightsize::gpu {

// What the three have in common: x (the input), w (the filter) and y (the output), or gradients of
// the same shape in their place.
struct ConvolutionShape {
  TensorDescriptor x, y;
  FilterDescriptor w;

  // `in` may be padded already: cuDNN pads both sides alike (see Convolution).
  void set(const Layer& layer, const TensorShape& in, const TensorShape& out, ElementType type);
};

// Where they lie, and the room to work in.
struct ConvolutionBuffers {
  void* x = nullptr;
  void* w = nullptr;
  void* y = nullptr;
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
};

// What a direction is asked with: its own descriptor, since math types may differ.
struct ConvolutionCall {
  cudnnHandle_t handle;
  const ConvolutionShape& shape;
  cudnnConvolutionDescriptor_t descriptor;
};

struct Forward {  // y = x * w
  using Result = cudnnConvolutionFwdAlgoPerf_t;
  using Chosen = Choice<cudnnConvolutionFwdAlgo_t>;
  static constexpr const char* name = "forward";

  static cudnnStatus_t guess(const ConvolutionCall& call, int capacity, int* count, Result* out);
  static cudnnStatus_t find(const ConvolutionCall& call,
                            const ConvolutionBuffers& buffers,
                            int capacity,
                            int* count,
                            Result* out);
  static cudnnStatus_t run(const ConvolutionCall& call,
                           const ConvolutionBuffers& buffers,
                           const Chosen& chosen);
};

struct BackwardData {  // x from w and y
  using Result = cudnnConvolutionBwdDataAlgoPerf_t;
  using Chosen = Choice<cudnnConvolutionBwdDataAlgo_t>;
  static constexpr const char* name = "backward-data";

  static cudnnStatus_t guess(const ConvolutionCall& call, int capacity, int* count, Result* out);
  static cudnnStatus_t find(const ConvolutionCall& call,
                            const ConvolutionBuffers& buffers,
                            int capacity,
                            int* count,
                            Result* out);
  static cudnnStatus_t run(const ConvolutionCall& call,
                           const ConvolutionBuffers& buffers,
                           const Chosen& chosen);
};

struct BackwardFilter {  // w from x and y
  using Result = cudnnConvolutionBwdFilterAlgoPerf_t;
  using Chosen = Choice<cudnnConvolutionBwdFilterAlgo_t>;
  static constexpr const char* name = "backward-filter";

  static cudnnStatus_t guess(const ConvolutionCall& call, int capacity, int* count, Result* out);
  static cudnnStatus_t find(const ConvolutionCall& call,
                            const ConvolutionBuffers& buffers,
                            int capacity,
                            int* count,
                            Result* out);
  static cudnnStatus_t run(const ConvolutionCall& call,
                           const ConvolutionBuffers& buffers,
                           const Chosen& chosen);
};

}  // namespace rightsize::gpu
