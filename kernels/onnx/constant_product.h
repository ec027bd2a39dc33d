// The part of constant folding that multiplies: positions times frequencies, as rotary tables are
// made.
#pragma once

#include <optional>

#include "kernels/onnx/constant_fold.h"

namespace rightsize::onnx {

// MatMul of two tensors of FP32 numbers with the same axes in front, or Einsum "i,j->ij"; nullopt
// for any other, for what does not fit together or would be too large.
[[nodiscard]] std::optional<Tensor> fold_product(const Node& node, const FoldInputs& inputs);

}  // namespace rightsize::onnx
