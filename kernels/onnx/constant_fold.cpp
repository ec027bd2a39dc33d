#include "kernels/onnx/constant_fold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include "kernels/onnx/shapes.h"

namespace rightsize::onnx {
namespace {

using Result = std::optional<Tensor>;

Tensor integers(Dims dims, std::vector<std::int64_t> values) {
  return {std::move(dims), true, {}, std::move(values)};
}

Result with_dims(const Tensor& tensor, const MaybeDims& dims) {
  if (!dims) {
    return std::nullopt;
  }
  auto result = tensor;
  result.dims = *dims;
  return result;
}

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

// Strides of a dense row-major tensor.
std::vector<std::size_t> strides_of(const Dims& dims) {
  std::vector<std::size_t> strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * static_cast<std::size_t>(dims[i]);
  }
  return strides;
}

// Element `index` of a dense tensor of `dims`, read with other strides.
std::size_t strided(std::size_t index, const Dims& dims, const std::vector<std::size_t>& strides) {
  std::size_t result = 0;
  for (std::size_t i = dims.size(); i-- > 0;) {
    const auto size = static_cast<std::size_t>(dims[i]);
    result += index % size * strides[i];
    index /= size;
  }
  return result;
}

Result constant(const Node& node) {
  const auto found = node.attributes.find("value");
  if (found != node.attributes.end() && found->second.tensor) {
    return *found->second.tensor;
  }
  if (node.has("value_int")) {
    return integers({}, {node.integer("value_int", 0)});
  }
  if (node.has("value_ints")) {
    const auto values = node.integers("value_ints", {});
    return integers({static_cast<std::int64_t>(values.size())}, values);
  }
  if (node.has("value_float")) {
    return Tensor{{}, false, {node.number("value_float", 0)}, {}};
  }
  if (node.has("value_floats")) {
    const auto& values = node.attributes.at("value_floats").floats;
    return Tensor{{static_cast<std::int64_t>(values.size())}, false, values, {}};
  }
  return std::nullopt;
}

// FP32 zeros unless the attribute says otherwise. Bounded, as a file may claim any shape.
Result constant_of_shape(const Node& node, const Tensor& shape) {
  constexpr std::int64_t most = std::int64_t{1} << 31;
  std::int64_t count = 1;
  for (const auto size : shape.ints) {
    if (size < 0 || (size > 0 && count > most / size)) {
      return std::nullopt;
    }
    count *= size;
  }
  const auto found = node.attributes.find("value");
  const bool given = found != node.attributes.end() && found->second.tensor;
  const Tensor value = given ? *found->second.tensor : Tensor{{1}, false, {0.0F}, {}};
  if (element_count(value.dims) != 1) {
    return std::nullopt;
  }
  Tensor result{shape.ints, value.integral, {}, {}};
  if (value.integral) {
    result.ints.assign(static_cast<std::size_t>(count), value.ints[0]);
  } else {
    result.floats.assign(static_cast<std::size_t>(count), value.floats[0]);
  }
  return result;
}

// start and end since opset 15.
Result shape_of(const Node& node, const Dims& dims) {
  const auto rank = static_cast<std::int64_t>(dims.size());
  const auto place = [rank](std::int64_t axis) {
    return std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
  };
  const auto first = place(node.integer("start", 0));
  const auto last = std::max(first, place(node.integer("end", rank)));
  return integers({last - first}, {dims.begin() + first, dims.begin() + last});
}

Result cast(const Node& node, const Tensor& tensor) {
  constexpr std::array<std::int64_t, 4> floating{1, 10, 11, 16};
  const bool to_floating =
      std::find(floating.begin(), floating.end(), node.integer("to", 0)) != floating.end();
  Tensor result{tensor.dims, !to_floating, {}, {}};
  if (to_floating) {
    result.floats = tensor.floats;
    std::transform(
        tensor.ints.begin(), tensor.ints.end(), std::back_inserter(result.floats), [](auto v) {
          return static_cast<float>(v);
        });
  } else {
    result.ints = tensor.ints;
    std::transform(
        tensor.floats.begin(), tensor.floats.end(), std::back_inserter(result.ints), [](float v) {
          return static_cast<std::int64_t>(v);
        });
  }
  return result;
}

Result gather(const Node& node, const Tensor& data, const Tensor& indices) {
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
Result concat(const FoldInputs& inputs) {
  Tensor result{{0}, inputs.tensors[0]->integral, {}, {}};
  for (const auto* tensor : inputs.tensors) {
    if (tensor->dims.size() != 1 || tensor->integral != result.integral) {
      return std::nullopt;
    }
    result.dims[0] += tensor->dims[0];
    result.ints.insert(result.ints.end(), tensor->ints.begin(), tensor->ints.end());
    result.floats.insert(result.floats.end(), tensor->floats.begin(), tensor->floats.end());
  }
  return result;
}

// starts, ends, axes, steps: attributes before opset 10, inputs since.
Result slice(const Node& node, const FoldInputs& inputs) {
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

Result transpose(const Node& node, const Tensor& tensor) {
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

template <typename Number>
Number computed(std::string_view op, Number a, Number b) {
  return op == "Add" ? a + b : op == "Sub" ? a - b : op == "Mul" ? a * b : a / b;
}

Result arithmetic(const Node& node, const Tensor& a, const Tensor& b) {
  const auto dims = broadcast(a.dims, b.dims);
  const bool by_zero =
      node.op == "Div" && std::find(b.ints.begin(), b.ints.end(), 0) != b.ints.end();
  if (!dims || a.integral != b.integral || by_zero) {
    return std::nullopt;
  }
  const auto spread = [&](const Tensor& tensor) {  // stride 0 along broadcast axes
    auto strides = strides_of(tensor.dims);
    for (std::size_t i = 0; i < strides.size(); ++i) {
      strides[i] = tensor.dims[i] == 1 ? 0 : strides[i];
    }
    strides.insert(strides.begin(), dims->size() - strides.size(), 0);
    return picked(tensor, *dims, [&](std::size_t i) { return strided(i, *dims, strides); });
  };
  auto left = spread(a);
  const auto right = spread(b);
  for (std::size_t i = 0; i < left.ints.size(); ++i) {
    left.ints[i] = computed(node.op, left.ints[i], right.ints[i]);
  }
  for (std::size_t i = 0; i < left.floats.size(); ++i) {
    left.floats[i] = computed(node.op, left.floats[i], right.floats[i]);
  }
  return left;
}

MaybeDims axes_of(const Node& node, const FoldInputs& inputs) {
  if (inputs.tensors.size() > 1 && inputs.tensors[1] != nullptr) {
    return inputs.tensors[1]->ints;
  }
  return node.has("axes") ? MaybeDims(node.integers("axes", {})) : std::nullopt;
}

// One tensor and what the node says about its shape.
Result reshaping(const Node& node, const FoldInputs& inputs) {
  const auto& tensor = *inputs.tensors[0];
  if (node.op == "Reshape" && inputs.tensors.size() == 2) {
    return with_dims(
        tensor, reshaped(tensor.dims, inputs.tensors[1]->ints, node.integer("allowzero", 0) != 0));
  }
  if (node.op == "Unsqueeze") {
    const auto axes = axes_of(node, inputs);
    return axes ? with_dims(tensor, unsqueezed(tensor.dims, *axes)) : std::nullopt;
  }
  if (node.op == "Squeeze") {
    return with_dims(tensor, squeezed(tensor.dims, axes_of(node, inputs)));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Tensor> fold_constant(const Node& node, const FoldInputs& inputs) {
  if (node.op == "Constant") {
    return constant(node);
  }
  if (node.op == "Shape") {
    const bool known = !inputs.dims.empty() && inputs.dims[0] != nullptr;
    return known ? shape_of(node, *inputs.dims[0]) : std::nullopt;
  }
  if (inputs.tensors.empty() ||
      std::find(inputs.tensors.begin(), inputs.tensors.end(), nullptr) != inputs.tensors.end()) {
    return std::nullopt;
  }
  const auto& first = *inputs.tensors[0];
  if (node.op == "ConstantOfShape") {
    return constant_of_shape(node, first);
  }
  if (node.op == "Identity") {
    return first;
  }
  if (node.op == "Cast") {
    return cast(node, first);
  }
  if (node.op == "Gather" && inputs.tensors.size() == 2) {
    return gather(node, first, *inputs.tensors[1]);
  }
  if (node.op == "Concat") {
    return concat(inputs);
  }
  if (node.op == "Slice") {
    return slice(node, inputs);
  }
  if (node.op == "Transpose") {
    return transpose(node, first);
  }
  constexpr std::array<std::string_view, 4> binary{"Add", "Sub", "Mul", "Div"};
  if (inputs.tensors.size() == 2 &&
      std::find(binary.begin(), binary.end(), node.op) != binary.end()) {
    return arithmetic(node, first, *inputs.tensors[1]);
  }
  return reshaping(node, inputs);
}

}  // namespace rightsize::onnx
