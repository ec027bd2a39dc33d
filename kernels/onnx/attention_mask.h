// Which positions see which: what a constant mask says of them.
#pragma once

#include "kernels/onnx/model.h"

namespace rightsize::onnx {

enum class Mask { none, causal };

// `mask` is broadcast to scores of `dims`, queries x keys last; visible(value of the mask) tells 1:
// seen, 0: not, anything else: neither. Throws Unsupported for any other mask, or one that is not
// the same for all heads and items.
[[nodiscard]] Mask read_mask(const Tensor& mask, const Dims& dims, int (*visible)(double));

}  // namespace rightsize::onnx
