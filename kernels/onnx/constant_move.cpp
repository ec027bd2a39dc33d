#include "kernels/onnx/constant_move.h"

#include <algorithm>
#include <numeric>

#include "kernels/onnx/shapes.h"
#include "kernels/onnx/strided.h"

namespace rightsize::onnx {

std::size_t strided(std::size_t index, const Dims& dims, const Dims& strides) {
  std::size_t result = 0;
  for (std::size_t i = dims.size(); i-- > 0;) {
    const auto size = static_cast<std::size_t>(dims[i]);
    result += index % size * static_cast<std::size_t>(strides[i]);
    index /= size;
  }
  return result;
}

// Stride 0 along the axes it has not, or has of size 1.
Tensor spread(const Tensor& tensor, const Dims& dims) {
  auto strides = dense_strides(tensor.dims);
  for (std::size_t i = 0; i < strides.size(); ++i) {
    strides[i] = tensor.dims[i] == 1 ? 0 : strides[i];
  }
  strides.insert(strides.begin(), dims.size() - strides.size(), 0);
  return picked(tensor, dims, [&](std::size_t i) { return strided(i, dims, strides); });
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

std::optional<Tensor> concat(const Node& node, const FoldInputs& inputs) {
  const auto& first = *inputs.tensors[0];
  const auto axis = axis_of(node.integer("axis", 0), first.dims.size());
  if (!axis) {
    return std::nullopt;
  }
  auto dims = first.dims;
  dims[*axis] = 0;
  for (const auto* tensor : inputs.tensors) {
    auto others = tensor->dims;
    if (others.size() != dims.size() || tensor->integral != first.integral) {
      return std::nullopt;
    }
    dims[*axis] += others[*axis];
    others[*axis] = first.dims[*axis];
    if (others != first.dims || element_count(dims) > most_folded_elements) {
      return std::nullopt;
    }
  }
  const auto split = dims.begin() + static_cast<std::ptrdiff_t>(*axis);
  Tensor result{dims, first.integral, {}, {}};
  for (std::int64_t row = 0; row < element_count({dims.begin(), split}); ++row) {
    for (const auto* tensor : inputs.tensors) {
      const auto width = element_count(tensor->dims) / element_count({dims.begin(), split});
      const auto append = [&](auto& to, const auto& from) {
        to.insert(to.end(), from.begin() + row * width, from.begin() + (row + 1) * width);
      };
      first.integral ? append(result.ints, tensor->ints) : append(result.floats, tensor->floats);
    }
  }
  return result;
}

// starts, ends, axes, steps: attributes before opset 10, inputs since. Steps of 1 alone.
std::optional<Tensor> slice(const Node& node, const FoldInputs& inputs) {
  const auto& data = *inputs.tensors[0];
  const auto argument = [&](const char* name, std::size_t input, const Dims& otherwise) {
    const bool given = input < inputs.tensors.size() && inputs.tensors[input] != nullptr;
    return given ? inputs.tensors[input]->ints : node.integers(name, otherwise);
  };
  const auto starts = argument("starts", 1, {});
  const auto ends = argument("ends", 2, {});
  Dims every(starts.size());
  std::iota(every.begin(), every.end(), std::int64_t{0});
  const auto axes = argument("axes", 3, every);
  const Dims ones(starts.size(), 1);
  if (ends.size() != starts.size() || axes.size() != starts.size() ||
      argument("steps", 4, ones) != ones) {
    return std::nullopt;
  }
  auto dims = data.dims;
  const auto strides = dense_strides(data.dims);
  std::size_t offset = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const auto axis = axis_of(axes[i], dims.size());
    if (!axis) {
      return std::nullopt;
    }
    const auto size = dims[*axis];
    const auto first = clamped_place(starts[i], size);
    dims[*axis] = std::max(first, clamped_place(ends[i], size)) - first;
    offset += static_cast<std::size_t>(first) * static_cast<std::size_t>(strides[*axis]);
  }
  return picked(data, dims, [&](std::size_t i) { return offset + strided(i, dims, strides); });
}

std::optional<Tensor> transpose(const Node& node, const Tensor& tensor) {
  Dims order(tensor.dims.size());
  std::iota(order.rbegin(), order.rend(), std::int64_t{0});
  order = node.integers("perm", order);
  const auto dims = permuted(tensor.dims, order);
  if (!dims) {
    return std::nullopt;
  }
  const auto from = dense_strides(tensor.dims);
  Dims strides;
  for (const auto axis : order) {
    strides.push_back(from[static_cast<std::size_t>(axis)]);
  }
  return picked(tensor, *dims, [&](std::size_t i) { return strided(i, *dims, strides); });
}

}  // namespace rightsize::onnx
