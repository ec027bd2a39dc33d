// Views of layers' outputs: the part of GraphImport that says when one is a layer's output again.
#include <algorithm>

#include <fmt/format.h>

#include "kernels/onnx/attention.h"
#include "kernels/onnx/graph_import.h"
#include "kernels/onnx/strided.h"

namespace rightsize::onnx {
namespace {

void require_no_padding(const Value& value) {
  if (value.padding != Padding{}) {
    throw Unsupported("padding in front of it is no part of it; only windows take padding in");
  }
}

// Scores keep their last two axes, queries and keys.
bool keeps_scores(const Dims& from, const Dims& to) {
  return to.size() >= 2 && std::equal(from.end() - 2, from.end(), to.end() - 2);
}

// {.., heads, times, positions, features}, repeated along `times`, with both joined; nullopt where
// `to` is something else.
std::optional<Value> joined_heads(const Value& from, const Dims& to) {
  const auto rank = from.dims.size();
  if (from.strides.empty() || rank < 4 || to.size() + 1 != rank || from.strides[rank - 3] != 0 ||
      from.dims[rank - 3] < 2) {
    return std::nullopt;
  }
  auto value = from;
  value.group = from.dims[rank - 3];
  const auto times = static_cast<std::ptrdiff_t>(rank) - 3;
  value.dims.erase(value.dims.begin() + times);
  value.strides.erase(value.strides.begin() + times);
  value.dims[rank - 4] *= value.group;
  return value.dims == to ? std::optional(value) : std::nullopt;
}

}  // namespace

Dims strides_of(const Value& value) {
  return value.strides.empty() ? dense_strides(value.dims) : value.strides;
}

void GraphImport::view(const Node& node, const Value& from, Dims dims) {
  require_no_padding(from);
  const bool same_count = element_count(dims) == element_count(from.dims);
  const bool free = from.scores ? keeps_scores(from.dims, dims)
                                : is_sequence(from.layer) || is_placeholder(from.layer);
  if (dims.empty() || !same_count || (!free && dims[0] != from.dims[0])) {
    throw Unsupported(fmt::format("{} to {} moves the batch, which stays in front here",
                                  to_string(from.dims),
                                  to_string(dims)));
  }
  if (from.group != 1 && dims != from.dims) {
    throw Unsupported(fmt::format("{} to {} takes heads apart that share their keys and values",
                                  to_string(from.dims),
                                  to_string(dims)));
  }
  if (auto heads = from.scores ? std::nullopt : joined_heads(from, dims)) {
    return define(node, std::move(*heads));
  }
  auto value = from;
  if (!from.scores && is_placeholder(value.layer)) {
    value.layer = append_placeholder(dims);
  } else if (!from.strides.empty()) {
    const auto strides = reshaped_strides(from.dims, from.strides, dims);
    if (!strides) {
      throw Unsupported(fmt::format("{} to {} moves numbers, and no layer of ours does that",
                                    to_string(from.dims),
                                    to_string(dims)));
    }
    value.strides = *strides;
  }
  value.nhwc_input = value.nhwc_input && dims == from.dims;
  value.dims = std::move(dims);
  define(node, std::move(value));
}

void GraphImport::require_no_ids(const Value& value) const {
  if (value.layer == 0 && reads_tokens()) {
    throw Unsupported("it computes with token ids; a table of embeddings can be read by them");
  }
}

Value GraphImport::settled(const Node& node, const Value& value) {
  require_no_padding(value);
  auto result = value;
  if (value.factor != 1) {
    throw Unsupported(fmt::format(
        "a product by {} in front of it is behind no layer with weights of its own to fold it into",
        value.factor));
  }
  require_no_ids(value);
  if (is_placeholder(value.layer)) {
    return result;
  }
  const auto out = layer(value.layer).out;
  const auto item = out.elements();
  const auto strides = strides_of(value);
  if (value.offset == 0 && element_count(value.dims) == batch_ * item &&
      is_dense(value.dims, strides)) {
    result.strides.clear();
    return result;
  }
  bool one_position = is_sequence(value.layer) && value.dims.size() > 1 &&
                      value.dims.back() == out.c && value.offset >= 0 && value.offset < item &&
                      value.offset % out.c == 0 && (out.c == 1 || strides.back() == 1);
  for (std::size_t axis = 0; one_position && axis + 1 < value.dims.size(); ++axis) {
    one_position = value.dims[axis] == 1 || (value.dims[axis] == batch_ && strides[axis] == item);
  }
  if (!one_position || element_count(value.dims) != batch_ * out.c) {
    throw Unsupported(
        fmt::format("its input {} is a part or a turn of what a layer gives, and no layer of ours "
                    "moves numbers so",
                    to_string(value.dims)));
  }
  append(node, LayerKind::take_position, {value.layer}, {out.c, 1, 1}).position =
      value.offset / out.c;
  return {value.dims, static_cast<int>(network_.layers.size()) - 1, value.sole};
}

}  // namespace rightsize::onnx
