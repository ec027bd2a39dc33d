// Views of dense numbers by strides: element (i, j, ..) is number `offset` + i strides[0] + j
// strides[1] + .. of them. So axes are parted, joined, turned and cut without moving a number.
#pragma once

#include "kernels/onnx/model.h"
#include "kernels/onnx/shapes.h"

namespace rightsize::onnx {

// Of numbers in the order of `dims`, the last axis fastest. At most 2^62, as an empty tensor may
// claim huge axes.
[[nodiscard]] Dims dense_strides(const Dims& dims);

// In that order and without gaps; axes of size 1 may have any stride.
[[nodiscard]] bool is_dense(const Dims& dims, const Dims& strides);

// The strides of the same view under another shape of as many elements; nullopt where no strides
// say it, as axes are joined that lie apart.
[[nodiscard]] MaybeDims reshaped_strides(const Dims& dims, const Dims& strides, const Dims& to);

}  // namespace rightsize::onnx
