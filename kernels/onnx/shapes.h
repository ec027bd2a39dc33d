// Arithmetic of shapes by the rules of the ONNX specification.
#pragma once

#include <optional>

#include "kernels/onnx/model.h"

namespace rightsize::onnx {

using MaybeDims = std::optional<Dims>;  // nullopt: not known, or the node contradicts itself

// Counted from the end where negative; nullopt where there is no such axis.
[[nodiscard]] std::optional<std::size_t> axis_of(std::int64_t axis, std::size_t rank);

// A bound of a slice of an axis of `size`: from the end where negative, the nearest there is where
// beyond.
[[nodiscard]] std::int64_t clamped_place(std::int64_t at, std::int64_t size);

// `shape` may hold one -1 (what is left) and zeros (as in `dims`, unless `allow_zero`).
[[nodiscard]] MaybeDims reshaped(const Dims& dims, const Dims& shape, bool allow_zero);
// Without axes: all of size 1.
[[nodiscard]] MaybeDims squeezed(const Dims& dims, const MaybeDims& axes);
[[nodiscard]] MaybeDims unsqueezed(const Dims& dims, const Dims& axes);
[[nodiscard]] MaybeDims permuted(const Dims& dims, const Dims& order);
[[nodiscard]] MaybeDims broadcast(const Dims& a, const Dims& b);

}  // namespace rightsize::onnx
