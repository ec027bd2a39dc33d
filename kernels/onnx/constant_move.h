// The part of constant folding that puts numbers elsewhere: pick, slice, join, transpose.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/onnx/constant_fold.h"

namespace rightsize::onnx {

// A tensor of `dims` whose i-th element is element source(i) of `from`.
template <typename Source>
Tensor picked(const Tensor& from, Dims dims, Source source) {
  Tensor result{std::move(dims), from.integral, {}, {}};
  const auto count = static_cast<std::size_t>(element_count(result.dims));
  for (std::size_t i = 0; i < count; ++i) {
    if (from.integral) {
      result.ints.push_back(from.ints[source(i)]);
    } else {
      result.floats.push_back(from.floats[source(i)]);
    }
  }
  return result;
}

// Element `index` of a dense tensor of `dims`, read with other strides.
[[nodiscard]] std::size_t strided(std::size_t index, const Dims& dims, const Dims& strides);

// Broadcast to `dims`, which it can be.
[[nodiscard]] Tensor spread(const Tensor& tensor, const Dims& dims);

// As the operators of these names; nullopt for what shape arithmetic does not need.
[[nodiscard]] std::optional<Tensor> gather(const Node& node,
                                           const Tensor& data,
                                           const Tensor& indices);
[[nodiscard]] std::optional<Tensor> concat(const Node& node, const FoldInputs& inputs);
[[nodiscard]] std::optional<Tensor> slice(const Node& node, const FoldInputs& inputs);
[[nodiscard]] std::optional<Tensor> transpose(const Node& node, const Tensor& tensor);

}  // namespace rightsize::onnx
