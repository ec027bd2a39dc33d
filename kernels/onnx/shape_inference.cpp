#include "kernels/onnx/shape_inference.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "kernels/onnx/operator_families.h"
#include "kernels/onnx/unsupported.h"
#include "kernels/onnx/window.h"

namespace rightsize::onnx {
namespace {

using Inputs = std::vector<MaybeDims>;
using Constants = std::vector<const Tensor*>;

// a x b over their last two axes, the others broadcast.
MaybeDims product(const Dims& a, const Dims& b) {
  if (a.size() < 2 || b.size() < 2 || a.back() != b[b.size() - 2]) {
    return std::nullopt;
  }
  auto dims = broadcast({a.begin(), a.end() - 2}, {b.begin(), b.end() - 2});
  if (dims) {
    dims->push_back(a[a.size() - 2]);
    dims->push_back(b.back());
  }
  return dims;
}

MaybeDims reduced(const Node& node, const Dims& dims, const Constants& constants) {
  Dims axes(dims.size());
  std::iota(axes.begin(), axes.end(), std::int64_t{0});
  axes = node.integers("axes", axes);
  if (constants.size() > 1 && constants[1] != nullptr) {
    axes = constants[1]->ints;
  }
  std::set<std::size_t> gone;
  for (const auto axis : axes) {
    const auto known = axis_of(axis, dims.size());
    if (!known) {
      return std::nullopt;
    }
    gone.insert(*known);
  }
  Dims result;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (gone.count(axis) == 0) {
      result.push_back(dims[axis]);
    } else if (node.integer("keepdims", 1) != 0) {
      result.push_back(1);
    }
  }
  return result;
}

// Any number of spatial axes; the output channels are the weights' first (or, transposed, second)
// dimension.
MaybeDims convolved(const Node& node, const Dims& in, const Dims& weights) {
  if (in.size() < 3 || weights.size() != in.size()) {
    return std::nullopt;
  }
  try {
    const auto window =
        window_of(node, {in.begin() + 2, in.end()}, {weights.begin() + 2, weights.end()});
    Dims dims{in[0], weights[0]};
    dims.insert(dims.end(), window.out.begin(), window.out.end());
    return dims;
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

// The specification's formula for ConvTranspose without output_shape.
MaybeDims convolved_back(const Node& node, const Dims& in, const Dims& weights) {
  if (in.size() < 3 || weights.size() != in.size() || node.has("output_shape")) {
    return std::nullopt;
  }
  const auto axes = in.size() - 2;
  const auto stride = node.integers("strides", Dims(axes, 1));
  const auto dilation = node.integers("dilations", Dims(axes, 1));
  const auto pads = node.integers("pads", Dims(2 * axes, 0));
  const auto more = node.integers("output_padding", Dims(axes, 0));
  if (stride.size() != axes || dilation.size() != axes || pads.size() != 2 * axes ||
      more.size() != axes) {
    return std::nullopt;
  }
  Dims dims{in[0], weights[1] * node.integer("group", 1)};
  for (std::size_t i = 0; i < axes; ++i) {
    dims.push_back(stride[i] * (in[2 + i] - 1) + more[i] + (weights[2 + i] - 1) * dilation[i] + 1 -
                   pads[i] - pads[i + axes]);
  }
  return dims;
}

MaybeDims pooled(const Node& node, const Dims& in) {
  if (in.size() < 3) {
    return std::nullopt;
  }
  try {
    const auto window = window_of(node, {in.begin() + 2, in.end()}, {});
    Dims dims{in[0], in[1]};
    dims.insert(dims.end(), window.out.begin(), window.out.end());
    return dims;
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

MaybeDims joined(const Node& node, const Inputs& inputs) {
  auto dims = *inputs[0];
  const auto axis = axis_of(node.integer("axis", 1), dims.size());
  if (!axis) {
    return std::nullopt;
  }
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    if (!inputs[i] || inputs[i]->size() != dims.size()) {
      return std::nullopt;
    }
    dims[*axis] += (*inputs[i])[*axis];
  }
  return dims;
}

MaybeDims gathered(const Node& node, const Dims& dims, const Dims& indices) {
  const auto axis = axis_of(node.integer("axis", 0), dims.size());
  if (!axis) {
    return std::nullopt;
  }
  Dims result(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(*axis));
  result.insert(result.end(), indices.begin(), indices.end());
  result.insert(result.end(), dims.begin() + static_cast<std::ptrdiff_t>(*axis) + 1, dims.end());
  return result;
}

// Of operators that read another tensor, whose shape is known.
MaybeDims output_of_two(const Node& node, const Inputs& inputs, const Constants& constants) {
  const auto& in = *inputs[0];
  const bool second_constant = constants.size() > 1 && constants[1] != nullptr;
  if (broadcasts(node.op)) {
    return broadcast(in, *inputs[1]);
  }
  if (node.op == "MatMul") {
    return product(in, *inputs[1]);
  }
  if (node.op == "Conv") {
    return convolved(node, in, *inputs[1]);
  }
  if (node.op == "ConvTranspose") {
    return convolved_back(node, in, *inputs[1]);
  }
  if (node.op == "Gather") {
    return gathered(node, in, *inputs[1]);
  }
  if (node.op == "Reshape" && second_constant) {
    return reshaped(in, constants[1]->ints, node.integer("allowzero", 0) != 0);
  }
  if (node.op == "Expand" && second_constant) {
    return broadcast(in, constants[1]->ints);
  }
  return std::nullopt;
}

MaybeDims first_output(const Node& node, const Inputs& inputs, const Constants& constants) {
  const auto& in = *inputs[0];
  const bool second = inputs.size() > 1 && inputs[1].has_value();
  if (keeps_shape(node.op)) {
    return in;
  }
  if (reduces(node.op)) {
    return reduced(node, in, constants);
  }
  if (node.op == "MaxPool" || node.op == "AveragePool" || node.op == "LpPool") {
    return pooled(node, in);
  }
  if (node.op == "Concat") {
    return joined(node, inputs);
  }
  if (node.op == "Transpose") {
    Dims order(in.size());
    std::iota(order.rbegin(), order.rend(), std::int64_t{0});
    return permuted(in, node.integers("perm", order));
  }
  if (node.op == "Flatten") {
    const auto axis = axis_of(node.integer("axis", 1), in.size() + 1).value_or(0);
    const auto split = in.begin() + static_cast<std::ptrdiff_t>(axis);
    return Dims{element_count({in.begin(), split}), element_count({split, in.end()})};
  }
  return second ? output_of_two(node, inputs, constants) : std::nullopt;
}

// All outputs, the last ones, and an LSTM's last cells.
std::vector<MaybeDims> recurrent_outputs(const Node& node, const Dims& in, const Dims& recurrent) {
  const auto directions = recurrent[0];
  const auto hidden = recurrent[2];
  const bool items_first = node.integer("layout", 0) == 1;
  const Dims last = items_first ? Dims{in[0], directions, hidden} : Dims{directions, in[1], hidden};
  const Dims all =
      items_first ? Dims{in[0], in[1], directions, hidden} : Dims{in[0], directions, in[1], hidden};
  return {all, last, last};
}

}  // namespace

std::vector<MaybeDims> infer_shapes(const Node& node,
                                    const std::vector<MaybeDims>& inputs,
                                    const std::vector<const Tensor*>& constants) {
  std::vector<MaybeDims> outputs(node.outputs.size());
  if (outputs.empty() || inputs.empty() || !inputs[0]) {
    return outputs;
  }
  const bool recurrent = recurrent_gates(node.op) > 0 && inputs.size() > 2 && inputs[2] &&
                         inputs[2]->size() == 3 && inputs[0]->size() == 3;
  if (recurrent) {
    auto known = recurrent_outputs(node, *inputs[0], *inputs[2]);
    known.resize(outputs.size());
    return known;
  }
  outputs[0] = first_output(node, inputs, constants);
  if (outputs[0] &&
      std::any_of(outputs[0]->begin(), outputs[0]->end(), [](auto size) { return size < 1; })) {
    outputs[0].reset();
  }
  return outputs;
}

}  // namespace rightsize::onnx
