// One layer on the device: emits its forward steps, and later its backward steps, into a Lowering.
// One file per kind; a ReLU that follows may be part of the operation (fusion.h).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/gpu/device.h"
#include "kernels/gpu/kernels.h"
#include "kernels/gpu/lowering.h"
#include "kernels/gpu/parameters.h"
#include "kernels/network.h"

namespace rightsize::gpu {

// d loss / d tensor. `exclusive`: nobody else reads this buffer, so it may be overwritten.
struct Gradient {
  Tensor tensor;
  bool exclusive = true;
};

// Buffers that all operations use in turn; the one stream keeps them apart.
struct SharedBuffers {
  int state = -1;      // StepState
  int labels = -1;     // int32 per row of scores
  int tokens = -1;     // int32 ids, items x positions, where the network reads tokens
  int partials = -1;   // sums of rows on their way
  int workspace = -1;  // cuDNN's
};

struct OperationContext {
  const Device& device;
  Lowering& lowering;
  Parameters& parameters;
  const SharedBuffers& shared;
  const Layer& layer;
  std::uint64_t seed = 0;       // of this layer
  bool training = false;        // normalises by the batch's own statistics, drops out
  bool has_backward = false;    // a backward pass follows
  bool relu = false;            // ends in a ReLU
  bool input_gradient = false;  // somebody wants d loss / d input
  const Network& network;
  std::int64_t items = 0;            // the batch
  std::int64_t cache_positions = 0;  // decode: of a whole sequence; else 0
};

class Operation {
 public:
  explicit Operation(const OperationContext& context) : context_(context) {}
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;

  // Emits the forward steps and returns the output.
  virtual Tensor forward(std::span<const Tensor> inputs) = 0;
  // Emits the backward steps; one gradient per input, empty where none is wanted.
  virtual std::vector<Gradient> backward(const Gradient& gradient) = 0;
  // Emits what a whole step leaves behind for the next one, and an evaluation does not.
  virtual void finish_step() {}
  // Once the buffers have addresses: may try kernels on them and remember the fastest.
  virtual void tune() {}
  // Before the first step, and again after the dry run: forget what earlier steps left behind.
  virtual void start() {}
  // Which of several ways computes it, where a record should say: "fused (own)". Empty elsewhere.
  [[nodiscard]] virtual std::string_view kernel() const { return {}; }

 protected:
  [[nodiscard]] const OperationContext& context() const { return context_; }
  [[nodiscard]] const Device& device() const { return context_.device; }
  [[nodiscard]] cudaStream_t stream() const { return context_.device.stream().get(); }
  [[nodiscard]] Lowering& lowering() const { return context_.lowering; }
  [[nodiscard]] const Layer& layer() const { return context_.layer; }
  [[nodiscard]] ElementType type() const { return context_.device.type(); }
  [[nodiscard]] std::string named(const char* suffix) const { return layer().name + suffix; }
  [[nodiscard]] const Parameter& parameter(const char* suffix) const {
    return context_.parameters.find(layer().name + suffix);
  }
  [[nodiscard]] TensorShape output_shape(std::int64_t items) const {
    return {items, layer().out.h, layer().out.w, layer().out.c};
  }
  [[nodiscard]] StepState* state() const {
    return lowering().address_as<StepState>(context_.shared.state);
  }
  [[nodiscard]] const int* tokens() const {
    return lowering().address_as<int>(context_.shared.tokens);
  }

 private:
  OperationContext context_;
};

std::unique_ptr<Operation> make_convolution(const OperationContext& context);
std::unique_ptr<Operation> make_depthwise(const OperationContext& context);
std::unique_ptr<Operation> make_batch_norm(const OperationContext& context);
std::unique_ptr<Operation> make_pooling(const OperationContext& context);
std::unique_ptr<Operation> make_local_response_norm(const OperationContext& context);
std::unique_ptr<Operation> make_relu(const OperationContext& context);
std::unique_ptr<Operation> make_dropout(const OperationContext& context);
std::unique_ptr<Operation> make_add(const OperationContext& context);
std::unique_ptr<Operation> make_concat(const OperationContext& context);
std::unique_ptr<Operation> make_take_channels(const OperationContext& context);
std::unique_ptr<Operation> make_shuffle_channels(const OperationContext& context);
std::unique_ptr<Operation> make_activation(const OperationContext& context);
std::unique_ptr<Operation> make_multiply(const OperationContext& context);
std::unique_ptr<Operation> make_to_sequence(const OperationContext& context);
std::unique_ptr<Operation> make_to_image(const OperationContext& context);
std::unique_ptr<Operation> make_take_position(const OperationContext& context);
std::unique_ptr<Operation> make_class_token(const OperationContext& context);
std::unique_ptr<Operation> make_embedding(const OperationContext& context);
std::unique_ptr<Operation> make_one_hot(const OperationContext& context);
std::unique_ptr<Operation> make_position_embedding(const OperationContext& context);
std::unique_ptr<Operation> make_linear(const OperationContext& context);
std::unique_ptr<Operation> make_row_norm(const OperationContext& context);
std::unique_ptr<Operation> make_attention(const OperationContext& context);
std::unique_ptr<Operation> make_gated_silu(const OperationContext& context);
std::unique_ptr<Operation> make_lstm(const OperationContext& context);
std::unique_ptr<Operation> make_loss(const OperationContext& context);

// The switch over LayerKind (operation.cpp).
[[nodiscard]] std::unique_ptr<Operation> make_operation(const OperationContext& context);

// What a layer's parameters depend on beside the layer.
struct ParameterContext {
  FeatureShape in;
  double pooled_growth = 1;          // pooled_growth.h
  bool relu = false;                 // one follows
  std::int64_t items = 0;            // the batch
  std::int64_t cache_positions = 0;  // decode: of a whole sequence; else 0
};

// The parameters of a layer in the CPU engine's order.
void add_parameters(Parameters& parameters, const Layer& layer, const ParameterContext& context);
// Those of the layers of sequences (sequence_parameters.cpp).
void add_sequence_parameters(Parameters& parameters,
                             const Layer& layer,
                             const ParameterContext& context);

// Through a ReLU, told from its output (it is zero where the input was not positive).
[[nodiscard]] Gradient relu_backward(const OperationContext& context,
                                     const Tensor& output,
                                     const Gradient& gradient);

// Emits the sums over all positions of what arrives behind the addition of `bias`.
void emit_bias_gradient(const OperationContext& context,
                        const Parameter& bias,
                        const Tensor& gradient);

// Sum of two gradients of one tensor, into whichever may be overwritten.
[[nodiscard]] Gradient add_gradients(Lowering& lowering,
                                     const Device& device,
                                     const Gradient& a,
                                     const Gradient& b);

}  // namespace rightsize::gpu
