// The part of constant folding that makes masks and positions: comparisons, choices, ranges, and
// functions of single numbers.
#pragma once

#include <optional>

#include "kernels/onnx/constant_fold.h"

namespace rightsize::onnx {

// nullopt where the operator is none of these, or does not fit its inputs, all of which are
// constants.
[[nodiscard]] std::optional<Tensor> fold_comparison(const Node& node, const FoldInputs& inputs);

}  // namespace rightsize::onnx
