// Computes at once what depends on constants and shapes alone: the arithmetic around Reshape that
// exporters leave behind, and weights that are reshaped or transposed before use.
#pragma once

#include <optional>
#include <vector>

#include "kernels/onnx/model.h"

namespace rightsize::onnx {

// By input of the node; nullptr: not a constant, or a shape nobody knows. An input left out has
// neither.
struct FoldInputs {
  std::vector<const Tensor*> tensors;
  std::vector<const Dims*> dims;
};

// The node's first output; nullopt where it is no constant or not of an operator folded here.
[[nodiscard]] std::optional<Tensor> fold_constant(const Node& node, const FoldInputs& inputs);

}  // namespace rightsize::onnx
