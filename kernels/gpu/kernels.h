// Our own CUDA kernels, by what they do. Tensors are dense and channels last; `type` is that of the
// tensors, all arithmetic is FP32. Each call only launches on `stream`; errors show at check().
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/gpu/element.h"
#include "kernels/layer.h"

namespace rightsize::gpu {

// What changes from step to step; lives on the device so that a captured graph can advance it.
struct StepState {
  unsigned long long step;  // dropout draws a new mask for each
  float loss_scale;         // gradients are this many times too large (FP16)
  int good_steps;           // since the scale last changed
  int overflow;             // this step's gradients are not finite
  int last_overflow;        // the step before's, for the host to read
  float loss;               // mean of the batch
  int correct;
  int labelled;                // rows of scores that have a label
  int position;                // decode: of this step's token in the sequence
  unsigned long long updates;  // steps that were not skipped
};

// images: n x c x area FP32 (NCHW) -> NHWC of `type`.
void launch_images(const float* images,
                   void* out,
                   ElementType type,
                   const TensorShape& shape,
                   cudaStream_t stream);
void launch_from_float(
    const float* in, void* out, ElementType type, std::int64_t count, cudaStream_t stream);
void launch_to_float(
    const void* in, float* out, ElementType type, std::int64_t count, cudaStream_t stream);

// y = a + b, then ReLU if asked; y may be a or b.
void launch_add(const void* a,
                const void* b,
                void* y,
                ElementType type,
                std::int64_t count,
                bool relu,
                cudaStream_t stream);
void launch_relu(const void* x, void* y, ElementType type, std::int64_t count, cudaStream_t stream);
// dx = dy where the ReLU's output y is positive, else 0; dx may be dy.
void launch_relu_backward(const void* y,
                          const void* dy,
                          void* dx,
                          ElementType type,
                          std::int64_t count,
                          cudaStream_t stream);

// The other element-wise functions, `alpha` as in Layer; y may be x.
void launch_activation(Activation function,
                       float alpha,
                       const void* x,
                       void* y,
                       ElementType type,
                       std::int64_t count,
                       cudaStream_t stream);
// The derivative is told from the result y (relu6, sigmoid, tanh, hard_sigmoid), else from the
// input x.
[[nodiscard]] bool told_from_output(Activation function);
// dx = dy times the slope at `kept`: y where it is told from the output, else x; dx may be dy.
void launch_activation_backward(Activation function,
                                float alpha,
                                const void* kept,
                                const void* dy,
                                void* dx,
                                ElementType type,
                                std::int64_t count,
                                cudaStream_t stream);

// y = a x b element by element; y may be a or b.
void launch_multiply(const void* a,
                     const void* b,
                     void* y,
                     ElementType type,
                     std::int64_t count,
                     cudaStream_t stream);
// y = x times the gate, n x c values: one per item and channel; y may be x.
void launch_gate(const void* x,
                 const void* gate,
                 void* y,
                 ElementType type,
                 const TensorShape& shape,
                 cudaStream_t stream);
// gradient (n x c) = the sums of x dy over each item's positions; at most 65535 items.
void launch_gate_gradient(const void* x,
                          const void* dy,
                          void* gradient,
                          ElementType type,
                          const TensorShape& shape,
                          cudaStream_t stream);

// Channels of a rows x `stride` matrix, from `first` on.
struct ChannelSlice {
  std::int64_t first = 0;
  std::int64_t stride = 0;
};

// `channels` of each row out of the source's slice into the target's.
void launch_copy_channels(const void* from,
                          const ChannelSlice& source,
                          void* to,
                          const ChannelSlice& target,
                          ElementType type,
                          std::int64_t rows,
                          std::int64_t channels,
                          cudaStream_t stream);
// Channel i C / groups + j of each of the rows to channel j groups + i.
void launch_shuffle_channels(const void* from,
                             void* to,
                             ElementType type,
                             std::int64_t rows,
                             std::int64_t channels,
                             std::int64_t groups,
                             cudaStream_t stream);
// to(h, w) = from(h + top, w + left), zero outside: pads where these are negative, else crops.
void launch_copy_frame(const void* from,
                       const TensorShape& in,
                       void* to,
                       const TensorShape& out,
                       std::int64_t top,
                       std::int64_t left,
                       ElementType type,
                       cudaStream_t stream);

// y += bias (FP32, one per channel), then ReLU if asked.
void launch_bias(const float* bias,
                 void* y,
                 ElementType type,
                 const TensorShape& shape,
                 bool relu,
                 cudaStream_t stream);
// Sums over all rows; `partials` holds partial_floats(shape, 1) values.
void launch_bias_gradient(const void* dy,
                          float* gradient,
                          float* partials,
                          ElementType type,
                          const TensorShape& shape,
                          cudaStream_t stream);
[[nodiscard]] std::int64_t partial_floats(const TensorShape& shape, int sums);

// Batch normalisation over rows, one mean and variance per channel, all in FP32.
struct NormParameters {
  const float* scale;
  const float* shift;
  float* running_mean;
  float* running_variance;
  float* mean;         // saved by the forward pass for the backward pass
  float* inverse_std;  // likewise
  float epsilon;       // added to the variance
};

// y = relu?(norm(x) + addend?); z may be null. `partials` holds partial_floats(shape, 2) values.
void launch_norm_training(const void* x,
                          const void* z,
                          void* y,
                          const NormParameters& parameters,
                          float* partials,
                          ElementType type,
                          const TensorShape& shape,
                          bool relu,
                          cudaStream_t stream);
void launch_norm_inference(const void* x,
                           const void* z,
                           void* y,
                           const NormParameters& parameters,
                           ElementType type,
                           const TensorShape& shape,
                           bool relu,
                           cudaStream_t stream);

struct NormGradients {
  const void* y;   // the output; read only where there is an addend and a ReLU
  const void* dy;  // what arrives
  void* dx;        // may be dy where there is no addend
  void* dz;        // gradient of the addend behind the ReLU, may be dy; null: no addend or no ReLU
  float* scale;
  float* shift;
};

// `partials` holds partial_floats(shape, 2) values. StepState's loss scale passes through.
void launch_norm_backward(const void* x,
                          const NormParameters& parameters,
                          const NormGradients& gradients,
                          float* partials,
                          ElementType type,
                          const TensorShape& shape,
                          bool relu,
                          cudaStream_t stream);

// Across channels; `scale` keeps k + alpha / size * sum of squares, for the backward pass.
void launch_local_response_norm(const Layer& layer,
                                const void* x,
                                void* y,
                                float* scale,
                                ElementType type,
                                const TensorShape& shape,
                                cudaStream_t stream);
void launch_local_response_norm_backward(const Layer& layer,
                                         const void* x,
                                         const void* y,
                                         const float* scale,
                                         const void* dy,
                                         void* dx,
                                         ElementType type,
                                         const TensorShape& shape,
                                         cudaStream_t stream);

// The mask is a function of (seed, step, position), so backward makes it again. `to` may be `from`.
void launch_dropout(const void* from,
                    void* to,
                    ElementType type,
                    std::int64_t count,
                    float rate,
                    std::uint64_t seed,
                    const StepState* state,
                    cudaStream_t stream);

// Mean cross-entropy over the rows with a label (>= 0) and hits into `state`; `gradient` (may be
// null) = (softmax - one-hot) x loss scale / labelled rows, zeros elsewhere. `partials` holds 2
// rows floats.
void launch_softmax_loss(const void* scores,
                         const int* labels,
                         void* gradient,
                         float* partials,
                         StepState* state,
                         ElementType type,
                         std::int64_t rows,
                         std::int64_t classes,
                         cudaStream_t stream);

}  // namespace rightsize::gpu
