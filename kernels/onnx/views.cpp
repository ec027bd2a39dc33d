// Operators that move no numbers: another shape over the same layer.
#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "kernels/onnx/operators.h"
#include "kernels/onnx/shapes.h"

namespace rightsize::onnx {
namespace {

// Where the elements stay where they are: the axes longer than 1 keep their order.
bool keeps_order(const Dims& dims, const Dims& order) {
  Dims long_axes;
  std::copy_if(order.begin(), order.end(), std::back_inserter(long_axes), [&](auto axis) {
    return dims[static_cast<std::size_t>(axis)] > 1;
  });
  return std::is_sorted(long_axes.begin(), long_axes.end());
}

// 0, 2, .., 1: positions in front of channels.
bool channels_last(const Dims& order) {
  for (std::size_t i = 1; i < order.size(); ++i) {
    const bool last = i + 1 == order.size();
    if (order[i] != (last ? 1 : static_cast<std::int64_t>(i) + 1)) {
      return false;
    }
  }
  return order[0] == 0;
}

// {n, groups, channels of each, ..} with both turned: what ShuffleNet does to an image's channels.
bool shuffles_channels(const Value& from, const FeatureShape& image, const Dims& order) {
  const auto rank = from.dims.size();
  if (rank < 4 || !from.strides.empty() || order[1] != 2 || order[2] != 1 ||
      from.dims[1] * from.dims[2] != image.c) {
    return false;
  }
  auto straight = order;
  std::swap(straight[1], straight[2]);
  return std::is_sorted(straight.begin(), straight.end());
}

// {n, h, w, c} of a whole sequence, to be {n, c, h, w}.
bool becomes_image(const GraphImport& import,
                   const Value& from,
                   const FeatureShape& sequence,
                   const Dims& order) {
  return order == Dims{0, 3, 1, 2} && from.strides.empty() && from.factor == 1 &&
         from.offset == 0 && from.group == 1 && from.rotary_base == 0 &&
         from.dims[0] == import.batch() && from.dims[3] == sequence.c &&
         from.dims[1] * from.dims[2] == sequence.positions();
}

Value turned(Value value, const Dims& dims, const Dims& order) {
  const auto strides = strides_of(value);
  value.strides.clear();
  for (const auto axis : order) {
    value.strides.push_back(strides[static_cast<std::size_t>(axis)]);
  }
  value.dims = dims;
  return value;
}

}  // namespace

// Between floating-point types it changes nothing here: the run chooses its precision, not the
// file.
void import_cast(GraphImport& import, const Node& node) {
  constexpr std::int64_t fp32 = 1;
  constexpr std::array<std::int64_t, 3> others{10, 11, 16};  // FP16, FP64, BF16
  const auto target = node.integer("to", 0);
  const auto& from = import.any_value(node, 0);
  if (from.layer == 0 && import.reads_tokens() && !from.scores) {
    return import.define(node, from);  // ids, whatever integer holds them
  }
  const bool other = std::find(others.begin(), others.end(), target) != others.end();
  if (target != fp32 && !other) {
    throw Unsupported(
        fmt::format("it turns values into element type {}, not floating point", target));
  }
  if (other) {
    import.note(
        fmt::format("{} rounds to another floating-point type; here the run's own precision "
                    "is used throughout",
                    node.described()));
  }
  import.define(node, from);
}

void import_identity(GraphImport& import, const Node& node) {
  import.define(node, import.any_value(node, 0));
}

void import_flatten(GraphImport& import, const Node& node) {
  const auto& from = import.value(node, 0);
  const auto rank = static_cast<std::int64_t>(from.dims.size());
  const auto axis = node.integer("axis", 1);
  const auto split =
      from.dims.begin() + std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
  import.view(node,
              from,
              {element_count({from.dims.begin(), split}), element_count({split, from.dims.end()})});
}

void import_reshape(GraphImport& import, const Node& node) {
  const auto& from = import.any_value(node, 0);
  const auto dims =
      reshaped(from.dims, import.constant(node, 1).ints, node.integer("allowzero", 0) != 0);
  if (!dims) {
    throw Unsupported(fmt::format("{} has no such shape", to_string(from.dims)));
  }
  import.view(node, from, *dims);
}

void import_squeeze(GraphImport& import, const Node& node) {
  const auto& from = import.any_value(node, 0);
  const auto dims = squeezed(from.dims, import.integers(node, "axes", 1));
  if (!dims) {
    throw Unsupported(fmt::format("its axes are not of size 1 in {}", to_string(from.dims)));
  }
  import.view(node, from, *dims);
}

void import_unsqueeze(GraphImport& import, const Node& node) {
  const auto& from = import.any_value(node, 0);
  const auto axes = import.integers(node, "axes", 1);
  const auto dims = axes ? unsqueezed(from.dims, *axes) : std::nullopt;
  if (!dims) {
    throw Unsupported("its axes do not fit its input");
  }
  import.view(node, from, *dims);
}

namespace {

// Of rows that are a sequence's, whose positions may be those of a picture.
void transpose_sequence(
    GraphImport& import, const Node& node, const Value& from, const Dims& dims, const Dims& order) {
  const auto out = import.layer(from.layer).out;
  if (!becomes_image(import, from, out, order)) {
    return import.define(node, turned(from, dims, order));
  }
  const bool sole = from.sole;
  import.append(node, LayerKind::to_image, {from.layer}, {out.c, dims[2], dims[3]});
  import.define(node, {dims, import.last_layer(), sole});
}

// By a layer that moves numbers; throws Unsupported where there is none.
void transpose_image(
    GraphImport& import, const Node& node, const Value& from, const Dims& dims, const Dims& order) {
  const auto out = import.layer(from.layer).out;
  const bool images = from.dims[0] == import.batch() && from.padding == Padding{};
  if (images && shuffles_channels(from, out, order)) {
    import.append(node, LayerKind::shuffle_channels, {from.layer}, out).groups = from.dims[1];
    return import.finish(node, dims);
  }
  const bool whole = images && from.dims.size() > 2 && from.dims[1] == out.c;
  if (!channels_last(order) || !whole) {
    throw Unsupported(fmt::format("{} to {} moves numbers, and no layer of ours does that",
                                  to_string(from.dims),
                                  to_string(dims)));
  }
  import.append(node, LayerKind::to_sequence, {from.layer}, {out.c, out.positions(), 1});
  import.finish(node, dims);
}

}  // namespace

void import_transpose(GraphImport& import, const Node& node) {
  const auto& any = import.any_value(node, 0);
  const bool of_heads = any.rotary_base != 0 || any.group != 1;
  const auto& from = of_heads ? any : import.value(node, 0);
  const auto rank = from.dims.size();
  Dims backwards(rank);
  std::iota(backwards.rbegin(), backwards.rend(), std::int64_t{0});
  const auto order = node.integers("perm", backwards);
  const auto dims = permuted(from.dims, order);
  if (!dims) {
    throw Unsupported("its permutation does not fit its input");
  }
  if (from.group != 1 && (rank < 3 || order[rank - 3] != static_cast<std::int64_t>(rank) - 3)) {
    throw Unsupported("it moves heads that share their keys and values");
  }
  if (from.nhwc_input && from.sole && order == Dims{0, 3, 1, 2}) {
    return import.transpose_input(node, *dims);
  }
  if (import.is_placeholder(from.layer)) {
    return import.define(node, {*dims, import.append_placeholder(*dims), false});
  }
  if (import.is_sequence(from.layer)) {
    return transpose_sequence(import, node, from, *dims, order);
  }
  if (order.empty() || (order[0] == 0 && keeps_order(from.dims, order))) {
    return import.view(node, from, *dims);
  }
  transpose_image(import, node, from, *dims, order);
}

}  // namespace rightsize::onnx
