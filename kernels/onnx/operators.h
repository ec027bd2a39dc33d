// The visible table of the ONNX operators we have layers for. Each reads a node and appends layers,
// or throws Unsupported before it has.
#pragma once

#include <string_view>

#include "kernels/onnx/graph_import.h"

namespace rightsize::onnx {

using Operator = void (*)(GraphImport& import, const Node& node);

// nullptr where we have none.
[[nodiscard]] Operator find_operator(std::string_view op);

// windows.cpp
void import_convolution(GraphImport& import, const Node& node);
void import_max_pool(GraphImport& import, const Node& node);
void import_average_pool(GraphImport& import, const Node& node);
void import_global_average_pool(GraphImport& import, const Node& node);
void import_global_max_pool(GraphImport& import, const Node& node);
void import_reduce_mean(GraphImport& import, const Node& node);
void import_pad(GraphImport& import, const Node& node);

// learned.cpp
void import_batch_norm(GraphImport& import, const Node& node);
void import_gemm(GraphImport& import, const Node& node);
void import_matmul(GraphImport& import, const Node& node);

// elementwise.cpp
void import_relu(GraphImport& import, const Node& node);
void import_clip(GraphImport& import, const Node& node);
void import_sigmoid(GraphImport& import, const Node& node);
void import_tanh(GraphImport& import, const Node& node);
void import_gelu(GraphImport& import, const Node& node);
void import_silu(GraphImport& import, const Node& node);  // of patterns.h
void import_hard_sigmoid(GraphImport& import, const Node& node);
void import_hard_swish(GraphImport& import, const Node& node);
void import_leaky_relu(GraphImport& import, const Node& node);
void import_elu(GraphImport& import, const Node& node);
void import_dropout(GraphImport& import, const Node& node);
void import_local_response_norm(GraphImport& import, const Node& node);
void import_concat(GraphImport& import, const Node& node);
void import_softmax(GraphImport& import, const Node& node);

// sequences.cpp
void import_gather(GraphImport& import, const Node& node);
void import_layer_norm(GraphImport& import, const Node& node);
void import_rms_norm(GraphImport& import, const Node& node);
void import_class_token(GraphImport& import, const Node& node);    // a Concat
void import_position_mean(GraphImport& import, const Node& node);  // a ReduceMean
// An Add of a constant row for each position; false, and nothing done, where it is not that.
[[nodiscard]] bool add_positions(GraphImport& import,
                                 const Node& node,
                                 const Value& value,
                                 const Tensor& constant);

// rotary.cpp
void import_rotate_halves(GraphImport& import, const Node& node);  // of patterns.h

// slices.cpp
void gather_view(GraphImport& import, const Node& node);
void import_slice(GraphImport& import, const Node& node);
void import_split(GraphImport& import, const Node& node);
void import_expand(GraphImport& import, const Node& node);
// A Concat of what lies side by side in one layer; false, and nothing done, where it is not that.
[[nodiscard]] bool join_parts(GraphImport& import, const Node& node);

// recurrent.cpp
void import_lstm(GraphImport& import, const Node& node);

// arithmetic.cpp
void import_add(GraphImport& import, const Node& node);
void import_sum(GraphImport& import, const Node& node);
void import_subtract(GraphImport& import, const Node& node);
void import_multiply(GraphImport& import, const Node& node);
void import_divide(GraphImport& import, const Node& node);

// views.cpp
void import_cast(GraphImport& import, const Node& node);
void import_identity(GraphImport& import, const Node& node);
void import_flatten(GraphImport& import, const Node& node);
void import_reshape(GraphImport& import, const Node& node);
void import_squeeze(GraphImport& import, const Node& node);
void import_unsqueeze(GraphImport& import, const Node& node);
void import_transpose(GraphImport& import, const Node& node);

}  // namespace rightsize::onnx
