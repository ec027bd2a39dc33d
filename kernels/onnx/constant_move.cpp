#include "kernels/onnx/constant_move.h"

#include <algorithm>
#include <numeric>

#include "kernels/onnx/shapes.h"

namespace rightsize::onnx {

std::vector<std::size_t> strides_of(const Dims& dims) {
  std::vector<std::size_t> strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * static_cast<std::size_t>(dims[i]);
  }
  return strides;
}

std::size_t strided(std::size_t index, const Dims& dims, const std::vector<std::size_t>& strides) {
  std::size_t result = 0;
  for (std::size_t i = dims.size(); i-- > 0;) {
    const auto size = static_cast<std::size_t>(dims[i]);
    result += index % size * strides[i];
    index /= size;
  }
  return result;
}

std::optional<Tensor> gather(const Node& node, const Tensor& data, const Tensor& indices) {
  const auto axis = axis_of(node.integer("axis", 0), data.dims.size());
  if (!axis || !indices.integral) {
    return std::nullopt;
  }
  const auto size = data.dims[*axis];
  const auto begin = data.dims.begin() + static_cast<std::ptrdiff_t>(*axis);
  Dims dims(data.dims.begin(), begin);
  dims.insert(dims.end(), indices.dims.begin(), indices.dims.end());
  dims.insert(dims.end(), begin + 1, data.dims.end());
  const auto inner = static_cast<std::size_t>(element_count({begin + 1, data.dims.end()}));
  const auto count = indices.ints.size();
  if (element_count(dims) > most_folded_elements) {
    return std::nullopt;
  }
  for (const auto index : indices.ints) {
    if (index < -size || index >= size) {
      return std::nullopt;
    }
  }
  return picked(data, dims, [&](std::size_t i) {
    const auto index = indices.ints[i / inner % count];
    const auto row = static_cast<std::size_t>(index < 0 ? index + size : index);
    return (i / (inner * count) * static_cast<std::size_t>(size) + row) * inner + i % inner;
  });
}

// Vectors and scalars only: shapes are put together so, weights are not.
std::optional<Tensor> concat(const FoldInputs& inputs) {
  Tensor result{{0}, inputs.tensors[0]->integral, {}, {}};
  for (const auto* tensor : inputs.tensors) {
    if (tensor->dims.size() != 1 || tensor->integral != result.integral) {
      return std::nullopt;
    }
    result.dims[0] += tensor->dims[0];
    if (result.dims[0] > most_folded_elements) {
      return std::nullopt;
    }
    result.ints.insert(result.ints.end(), tensor->ints.begin(), tensor->ints.end());
    result.floats.insert(result.floats.end(), tensor->floats.begin(), tensor->floats.end());
  }
  return result;
}

// starts, ends, axes, steps: attributes before opset 10, inputs since.
std::optional<Tensor> slice(const Node& node, const FoldInputs& inputs) {
  const auto argument = [&](const char* name, std::size_t input, const Dims& otherwise) {
    const bool given = input < inputs.tensors.size() && inputs.tensors[input] != nullptr;
    return given ? inputs.tensors[input]->ints : node.integers(name, otherwise);
  };
  const auto& data = *inputs.tensors[0];
  const auto starts = argument("starts", 1, {});
  const auto ends = argument("ends", 2, {});
  const auto axes = argument("axes", 3, {0});
  const auto steps = argument("steps", 4, {1});
  if (data.dims.size() != 1 || starts.size() != 1 || ends.size() != 1 || axes.size() != 1 ||
      (axes[0] != 0 && axes[0] != -1) || steps != Dims{1}) {
    return std::nullopt;
  }
  const auto size = data.dims[0];
  const auto place = [size](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size);
  };
  const auto first = place(starts[0]);
  const auto last = std::max(first, place(ends[0]));
  return picked(
      data, {last - first}, [&](std::size_t i) { return i + static_cast<std::size_t>(first); });
}

std::optional<Tensor> transpose(const Node& node, const Tensor& tensor) {
  Dims order(tensor.dims.size());
  std::iota(order.rbegin(), order.rend(), std::int64_t{0});
  order = node.integers("perm", order);
  const auto dims = permuted(tensor.dims, order);
  if (!dims) {
    return std::nullopt;
  }
  const auto from = strides_of(tensor.dims);
  std::vector<std::size_t> strides;
  for (const auto axis : order) {
    strides.push_back(from[static_cast<std::size_t>(axis)]);
  }
  return picked(tensor, *dims, [&](std::size_t i) { return strided(i, *dims, strides); });
}

}  // namespace rightsize::onnx
