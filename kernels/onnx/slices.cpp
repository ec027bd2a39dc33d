// Operators that take a part. Of a sequence they leave a view, until something reads it that is a
// layer; of an image some channels, which is a layer.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "kernels/onnx/operators.h"
#include "kernels/onnx/recurrent.h"
#include "kernels/onnx/shapes.h"

namespace rightsize::onnx {
namespace {

// An image, of which channels can be taken.
bool has_channels(const GraphImport& import, const Value& from) {
  return !from.stacked && !import.is_sequence(from.layer) && from.strides.empty() &&
         from.dims.size() > 2;
}

Value channels_of(GraphImport& import,
                  const Node& node,
                  const Value& from,
                  std::int64_t first,
                  std::int64_t size) {
  auto out = import.image(from);
  out.c = size;
  import.append(node, LayerKind::take_channels, {from.layer}, out).first_channel = first;
  auto dims = from.dims;
  dims[1] = size;
  return {std::move(dims), import.last_layer()};
}

// Elements first .. first + size - 1 of one axis.
Value part(GraphImport& import,
           const Node& node,
           const Value& from,
           std::size_t axis,
           std::int64_t first,
           std::int64_t size) {
  if (from.stacked) {
    if (axis != 0) {
      throw Unsupported("a part of the states of several recurrent layers; one can be picked");
    }
    return picked_states(from, first, size);
  }
  if (has_channels(import, from)) {
    if (axis != 1) {
      throw Unsupported(
          fmt::format("a part of axis {} of {}; of an image channels can be taken, axis 1",
                      axis,
                      to_string(from.dims)));
    }
    return channels_of(import, node, from, first, size);
  }
  auto value = from;
  value.strides = strides_of(from);
  value.offset += first * value.strides[axis];
  value.dims[axis] = size;
  value.sole = false;
  return value;
}

const Value& sliceable(GraphImport& import, const Node& node) {
  if (import.is_stacked(node, 0)) {
    return import.stackable_value(node, 0);
  }
  const auto& from = import.value(node, 0);
  const bool sequence = import.is_sequence(from.layer) && from.padding == Padding{};
  if (!sequence && !has_channels(import, from)) {
    throw Unsupported(
        fmt::format("a part of {}; of a sequence, or an image's channels, a part can be taken",
                    to_string(from.dims)));
  }
  return from;
}

void define_part(
    GraphImport& import, const Node& node, const Value& from, std::size_t output, Value value) {
  if (import.is_placeholder(from.layer)) {
    const auto dims = value.dims;
    value = {dims, import.append_placeholder(dims), false};
  }
  import.define_output(node, output, std::move(value));
}

std::size_t known_axis(std::int64_t axis, const Value& from) {
  const auto known = axis_of(axis, from.dims.size());
  if (!known) {
    throw Unsupported(fmt::format("{} has no axis {}", to_string(from.dims), axis));
  }
  return *known;
}

// The sizes of Split's parts: an attribute, an input since opset 13, or equal ones.
Dims split_sizes(GraphImport& import, const Node& node, std::int64_t size) {
  if (const auto sizes = import.integers(node, "split", 1)) {
    return *sizes;
  }
  const auto count = std::max<std::int64_t>(static_cast<std::int64_t>(node.outputs.size()), 1);
  const auto each = (size + count - 1) / count;
  Dims sizes(static_cast<std::size_t>(count), each);
  sizes.back() = size - each * (count - 1);
  return sizes;
}

// Where the neighbours begin that a constant picks from an axis of `size`; nullopt: it picks
// others, or what is not there. A file may hold any index: none is added to before it is known to
// lie within.
std::optional<std::int64_t> first_picked(const Tensor& indices, std::int64_t size) {
  const auto count = static_cast<std::int64_t>(indices.ints.size());
  if (!indices.integral || count == 0 || indices.dims.size() > 1) {
    return std::nullopt;
  }
  const auto first = indices.ints[0] < 0 ? indices.ints[0] + size : indices.ints[0];
  if (first < 0 || first > size - count) {
    return std::nullopt;
  }
  for (std::int64_t i = 1; i < count; ++i) {
    if (indices.ints[static_cast<std::size_t>(i)] != first + i) {
      return std::nullopt;
    }
  }
  return first;
}

}  // namespace

// One index takes the axis away; several neighbours, in order, are a part.
void gather_view(GraphImport& import, const Node& node) {
  const Value from = sliceable(import, node);
  const auto& indices = import.constant(node, 1);
  const auto axis = known_axis(node.integer("axis", 0), from);
  const auto first = first_picked(indices, from.dims[axis]);
  if (!first || (indices.dims.empty() && has_channels(import, from))) {
    throw Unsupported(fmt::format("it picks {} of axis {} of {}; neighbours can be picked",
                                  to_string(indices.dims),
                                  axis,
                                  to_string(from.dims)));
  }
  auto value =
      part(import, node, from, axis, *first, static_cast<std::int64_t>(indices.ints.size()));
  if (indices.dims.empty()) {
    value.dims.erase(value.dims.begin() + static_cast<std::ptrdiff_t>(axis));
    value.strides.erase(value.strides.begin() + static_cast<std::ptrdiff_t>(axis));
  }
  define_part(import, node, from, 0, std::move(value));
}

void import_slice(GraphImport& import, const Node& node) {
  const Value from = sliceable(import, node);
  const auto starts = import.integers(node, "starts", 1).value_or(Dims{});
  const auto ends = import.integers(node, "ends", 2).value_or(Dims{});
  const auto axes = import.integers(node, "axes", 3);
  const auto steps = import.integers(node, "steps", 4);
  if (starts.size() != ends.size() || (axes && axes->size() != starts.size()) ||
      (steps && *steps != Dims(starts.size(), 1))) {
    throw Unsupported("its steps are not 1, or its bounds do not belong together");
  }
  auto value = from;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const auto axis = known_axis(axes ? (*axes)[i] : static_cast<std::int64_t>(i), from);
    const auto size = value.dims[axis];
    const auto first = clamped_place(starts[i], size);
    const auto last = clamped_place(ends[i], size);
    if (last <= first) {
      throw Unsupported("its output is empty");
    }
    if (last - first < size) {
      value = part(import, node, value, axis, first, last - first);
    }
  }
  define_part(import, node, from, 0, std::move(value));
}

void import_split(GraphImport& import, const Node& node) {
  const Value from = sliceable(import, node);
  const auto axis = known_axis(node.integer("axis", 0), from);
  const auto sizes = split_sizes(import, node, from.dims[axis]);
  std::int64_t first = 0;
  if (sizes.size() != node.outputs.size()) {
    throw Unsupported("it has another number of sizes than of outputs");
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 1 || first + sizes[i] > from.dims[axis]) {
      throw Unsupported(fmt::format("its sizes do not fit {}", to_string(from.dims)));
    }
    define_part(import, node, from, i, part(import, node, from, axis, first, sizes[i]));
    first += sizes[i];
  }
}

// Parts of one layer's output, in order and without a gap between them, are a part of it again.
bool join_parts(GraphImport& import, const Node& node) {
  const auto is_part = [&](const std::string& name) { return import.is_value(name); };
  if (node.inputs.size() < 2 || !std::all_of(node.inputs.begin(), node.inputs.end(), is_part) ||
      import.is_stacked(node, 0)) {
    return false;
  }
  auto joined = import.value(node, 0);
  const auto axis = axis_of(node.integer("axis", 1), joined.dims.size());
  if (!axis || joined.strides.empty() || !import.is_sequence(joined.layer)) {
    return false;
  }
  for (std::size_t i = 1; i < node.inputs.size(); ++i) {
    if (import.is_stacked(node, i)) {
      return false;
    }
    const auto& part = import.value(node, i);
    auto dims = part.dims;
    if (part.layer != joined.layer || part.strides != joined.strides ||
        part.offset != joined.offset + joined.dims[*axis] * joined.strides[*axis] ||
        part.factor != joined.factor) {
      return false;
    }
    std::swap(dims[*axis], joined.dims[*axis]);
    if (dims != joined.dims) {
      return false;
    }
    joined.dims[*axis] = part.dims[*axis] + dims[*axis];
  }
  joined.sole = false;
  import.define(node, std::move(joined));
  return true;
}

// Where it changes nothing, or repeats key-value heads: a new axis behind theirs, in front of
// positions and features. The Reshape that follows joins both.
void import_expand(GraphImport& import, const Node& node) {
  const auto& from = import.any_value(node, 0);
  const auto dims = broadcast(from.dims, import.constant(node, 1).ints);
  if (dims == from.dims) {
    return import.define(node, from);
  }
  auto value = from;
  const auto rank = from.dims.size();
  const bool heads = dims && dims->size() == rank && rank > 3 && !from.scores && from.group == 1 &&
                     import.is_sequence(from.layer) && from.dims[rank - 3] == 1;
  if (heads) {
    value.dims[rank - 3] = (*dims)[rank - 3];
  }
  if (!heads || value.dims != *dims || import.is_placeholder(from.layer)) {
    throw Unsupported("it repeats something computed that is no key-value head");
  }
  value.strides = strides_of(from);
  value.strides[rank - 3] = 0;
  value.sole = false;
  import.define(node, std::move(value));
}

}  // namespace rightsize::onnx
