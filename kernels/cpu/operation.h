// One layer on oneDNN: emits its forward steps, and later its backward steps, into a Lowering.
// One file per kind; a ReLU that follows may be part of the operation (fusion.h).
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/cpu/lowering.h"
#include "kernels/cpu/parameters.h"
#include "kernels/network.h"

namespace rightsize::cpu {

// d loss / d tensor. `exclusive`: nobody else reads this buffer, so it may be overwritten.
struct Gradient {
  Tensor tensor;
  bool exclusive = true;
};

// What changes from step to step; the graph owns it, steps refer to it.
struct RunState {
  const std::int32_t* labels = nullptr;
  const std::int32_t* tokens = nullptr;  // n x sequence ids, where the network reads tokens
  std::uint64_t step = 0;                // dropout draws a new mask for each
  float learning_rate = 0;               // of tables whose rows are updated one by one
  std::int64_t position = 0;             // decode: of this step's token in the sequence
  double loss = 0;
  int correct = 0;
  std::int64_t labelled = 0;  // rows of scores that have a label
};

struct OperationContext {
  Lowering& lowering;
  Parameters& parameters;
  RunState& state;
  const Network& network;
  const Layer& layer;
  std::int64_t items = 0;            // the batch
  std::int64_t cache_positions = 0;  // decode: of a whole sequence
  std::uint64_t seed = 0;            // of this layer
  bool relu = false;                 // ends in a ReLU
  bool input_gradient = false;       // somebody wants d loss / d input
  bool relu6 = false;                // and that ReLU stops at six
  const Layer* norm = nullptr;  // convolution: ends in this batch normalisation, before the ReLU
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
  // Which of several ways computes it, where a record should say: "fused (own)". Empty elsewhere.
  [[nodiscard]] virtual std::string_view kernel() const { return {}; }

 protected:
  [[nodiscard]] Lowering& lowering() const { return context_.lowering; }
  [[nodiscard]] const Layer& layer() const { return context_.layer; }
  [[nodiscard]] std::string named(const char* suffix) const { return layer().name + suffix; }
  [[nodiscard]] const OperationContext& context() const { return context_; }

 private:
  OperationContext context_;
};

std::unique_ptr<Operation> make_convolution(const OperationContext& context);
std::unique_ptr<Operation> make_inner_product(const OperationContext& context);
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
std::unique_ptr<Operation> make_gated_gelu(const OperationContext& context);
std::unique_ptr<Operation> make_lstm(const OperationContext& context);
std::unique_ptr<Operation> make_loss(const OperationContext& context);
std::unique_ptr<Operation> make_given(const OperationContext& context);
std::unique_ptr<Operation> make_group_norm(const OperationContext& context);
std::unique_ptr<Operation> make_upsample(const OperationContext& context);
std::unique_ptr<Operation> make_join_positions(const OperationContext& context);
std::unique_ptr<Operation> make_take_positions(const OperationContext& context);
std::unique_ptr<Operation> make_squared_error(const OperationContext& context);
std::unique_ptr<Operation> make_transposed_convolution(const OperationContext& context);
std::unique_ptr<Operation> make_expected_bin(const OperationContext& context);
std::unique_ptr<Operation> make_detection_loss(const OperationContext& context);
std::unique_ptr<Operation> make_interpolation(const OperationContext& context);
std::unique_ptr<Operation> make_log_counts(const OperationContext& context);
std::unique_ptr<Operation> make_embedding_bags(const OperationContext& context);
std::unique_ptr<Operation> make_pairwise_dots(const OperationContext& context);
// A sum, a product or a to_image that is_per_channel(), or that changes the channels.
std::unique_ptr<Operation> make_per_channel(const OperationContext& context);
std::unique_ptr<Operation> make_unpatch(const OperationContext& context);

// The switch over LayerKind (operation.cpp).
[[nodiscard]] std::unique_ptr<Operation> make_operation(const OperationContext& context);

// Through a ReLU, told from its output (it is zero where the input was not positive, six where a
// ReLU6 cut it off).
[[nodiscard]] Gradient relu_backward(Lowering& lowering,
                                     const std::string& name,
                                     const Tensor& output,
                                     const Gradient& gradient,
                                     bool relu6 = false);

// `tensor` with `rank` dimensions in the engine's type. A fully connected layer's output has lost
// its two positions of one, while its neighbour may still have them.
[[nodiscard]] Tensor with_rank(Lowering& lowering, const Tensor& tensor, std::size_t rank);

// Sum of two gradients of one tensor, into whichever may be overwritten.
[[nodiscard]] Gradient add_gradients(Lowering& lowering, const Gradient& a, const Gradient& b);

// Logical dimensions with the layout left to oneDNN.
[[nodiscard]] inline dnnl::memory::desc any_layout(const dnnl::memory::dims& dims,
                                                   dnnl::memory::data_type type) {
  return {dims, type, dnnl::memory::format_tag::any};
}

}  // namespace rightsize::cpu
