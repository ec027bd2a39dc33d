// Shapes and work of nodes that no layer of ours stands for: what follows them is judged as well,
// and the report says how much of the work they are.
#pragma once

#include <optional>
#include <vector>

#include "kernels/onnx/model.h"
#include "kernels/onnx/shapes.h"

namespace rightsize::onnx {

// By output. `constants`: by input, nullptr where it is none.
[[nodiscard]] std::vector<MaybeDims> infer_shapes(const Node& node,
                                                  const std::vector<MaybeDims>& inputs,
                                                  const std::vector<const Tensor*>& constants);

// Forward FLOPs for the whole batch, a multiply-add counted as two; nullopt where shapes or
// operator are not known. Moving numbers costs none.
[[nodiscard]] std::optional<double> estimated_flops(const Node& node,
                                                    const std::vector<MaybeDims>& inputs,
                                                    const std::vector<MaybeDims>& outputs);

}  // namespace rightsize::onnx
