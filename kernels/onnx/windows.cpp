// Convolution, pooling, and the padding in front of them.
#include <algorithm>

#include <fmt/format.h>

#include "kernels/onnx/operators.h"
#include "kernels/onnx/shapes.h"
#include "kernels/onnx/window.h"

namespace rightsize::onnx {
namespace {

// What a window slides over: the layer's own image, with padding of a Pad node around it.
struct Source {
  int layer = 0;
  std::int64_t channels = 0;
  Dims spatial;  // with the padding
  Padding padding{};
};

Source source_of(GraphImport& import, const Node& node) {
  auto value = import.value(node, 0);
  Source source;
  source.spatial.assign(value.dims.begin() + std::min<std::ptrdiff_t>(2, value.dims.size()),
                        value.dims.end());
  if (source.spatial.empty() || source.spatial.size() > 2) {
    throw Unsupported(fmt::format("a window over {}; one or two spatial dimensions can be run",
                                  to_string(value.dims)));
  }
  source.layer = value.layer;
  source.padding = value.padding;
  for (std::size_t axis = 0; axis < source.spatial.size(); ++axis) {
    value.dims[2 + axis] -= value.padding[axis] + value.padding[2 + axis];
  }
  value.padding = {};
  source.channels = import.image(value).c;
  return source;
}

Dims output_dims(const GraphImport& import, std::int64_t channels, const Window& window) {
  Dims dims{import.batch(), channels};
  dims.insert(dims.end(), window.out.begin(), window.out.end());
  return dims;
}

Layer& append_window(GraphImport& import,
                     const Node& node,
                     LayerKind kind,
                     const Source& source,
                     std::int64_t channels,
                     Window window) {
  const FeatureShape out{channels, window.out[0], window.out.size() > 1 ? window.out[1] : 1};
  auto dims = output_dims(import, channels, window);
  for (std::size_t axis = 0; axis < window.out.size(); ++axis) {
    window.begin[axis] += source.padding[axis];
    window.end[axis] += source.padding[2 + axis];
  }
  auto& layer = import.append(node, kind, {source.layer}, out);
  set_window(window, layer);
  import.finish(node, std::move(dims));
  return layer;
}

void refuse_dilation(const Window& window) {
  if (std::any_of(window.dilation.begin(), window.dilation.end(), [](auto d) { return d != 1; })) {
    throw Unsupported("its window is dilated, which the engines' pooling kernels are not");
  }
}

bool is_padded(const Window& window) {
  const auto any = [](const Dims& sizes) {
    return std::any_of(sizes.begin(), sizes.end(), [](auto size) { return size > 0; });
  };
  return any(window.begin) || any(window.end);
}

void check_weights(const Tensor& weights, const Source& source, std::int64_t groups) {
  if (weights.integral || weights.dims.size() != 2 + source.spatial.size()) {
    throw Unsupported(fmt::format("weights of shape {} for {} spatial dimensions",
                                  to_string(weights.dims),
                                  source.spatial.size()));
  }
  if (groups < 1 || weights.dims[0] % groups != 0 || weights.dims[1] * groups != source.channels) {
    throw Unsupported(fmt::format("weights of shape {} in {} groups for {} channels",
                                  to_string(weights.dims),
                                  groups,
                                  source.channels));
  }
}

}  // namespace

void import_convolution(GraphImport& import, const Node& node) {
  const auto source = source_of(import, node);
  const auto& weights = import.constant(node, 1);
  const auto* bias = import.optional_constant(node, 2);
  const auto groups = node.integer("group", 1);
  check_weights(weights, source, groups);
  const Dims kernel(weights.dims.begin() + 2, weights.dims.end());
  const auto window = window_of(node, source.spatial, kernel);
  const auto channels = weights.dims[0];
  if (window.kernel != kernel ||
      (bias != nullptr && static_cast<std::int64_t>(bias->floats.size()) != channels)) {
    throw Unsupported("its kernel_shape, weights and bias do not agree");
  }
  auto& layer = append_window(import, node, LayerKind::convolution, source, channels, window);
  layer.groups = groups;
  layer.bias = bias != nullptr;
  import.set_parameter(layer, ".weights", weights.floats);
  if (bias != nullptr) {
    import.set_parameter(layer, ".bias", bias->floats);
  }
}

// Zeros of a Pad node take part in the maximum, a pool's own padding does not: the same only where
// nothing is negative.
void refuse_padded_maximum(GraphImport& import, const Source& source) {
  if (source.padding != Padding{} && import.layer(source.layer).kind != LayerKind::relu) {
    throw Unsupported("zeros padded in front of it, behind no ReLU, take part in its maxima");
  }
}

void import_max_pool(GraphImport& import, const Node& node) {
  const auto source = source_of(import, node);
  refuse_padded_maximum(import, source);
  if (node.outputs.size() > 1 && !node.outputs[1].empty()) {
    throw Unsupported("it also gives the places of its maxima");
  }
  const auto window = window_of(node, source.spatial, {});
  refuse_dilation(window);
  append_window(import, node, LayerKind::max_pool, source, source.channels, window);
}

void import_average_pool(GraphImport& import, const Node& node) {
  const auto source = source_of(import, node);
  const auto window = window_of(node, source.spatial, {});
  refuse_dilation(window);
  bool count = node.integer("count_include_pad", 0) != 0;
  if (!is_padded(window)) {
    count = true;  // the same, and the zeros of a Pad node always count
  } else if (source.padding != Padding{} && !count) {
    throw Unsupported("some of the padding in front of it counts and some does not");
  } else if (count && window.overhangs) {
    throw Unsupported("with ceil_mode its last window counts padding that is not there");
  }
  append_window(import, node, LayerKind::average_pool, source, source.channels, window)
      .count_padding = count;
}

void import_global_average_pool(GraphImport& import, const Node& node) {
  const auto& from = import.value(node, 0);
  const auto in = import.image(from);
  Dims dims(from.dims.size(), 1);
  dims[0] = from.dims[0];
  dims[1] = in.c;
  auto& layer = import.append(node, LayerKind::global_average_pool, {from.layer}, {in.c, 1, 1});
  layer.kernel_h = in.h;
  layer.kernel_w = in.w;
  import.finish(node, std::move(dims));
}

void import_global_max_pool(GraphImport& import, const Node& node) {
  const auto source = source_of(import, node);
  refuse_padded_maximum(import, source);
  Node pool = node;
  pool.attributes["kernel_shape"].ints = source.spatial;
  append_window(import,
                node,
                LayerKind::max_pool,
                source,
                source.channels,
                window_of(pool, source.spatial, {}));
}

// Over all positions: a global average pool, with or without the ones that remain.
void import_reduce_mean(GraphImport& import, const Node& node) {
  const auto& from = import.value(node, 0);
  if (import.is_sequence(from.layer) && !import.is_placeholder(from.layer)) {
    return import_position_mean(import, node);
  }
  const auto in = import.image(from);
  const auto rank = static_cast<std::int64_t>(from.dims.size());
  auto axes = import.integers(node, "axes", 1).value_or(Dims{});
  for (auto& axis : axes) {
    axis = axis < 0 ? axis + rank : axis;
  }
  std::sort(axes.begin(), axes.end());
  Dims spatial;
  for (std::int64_t axis = 2; axis < rank; ++axis) {
    spatial.push_back(axis);
  }
  if (axes != spatial || axes.empty()) {
    throw Unsupported(
        fmt::format("its mean over axes {} of {}; the mean over all positions can be "
                    "run",
                    to_string(axes),
                    to_string(from.dims)));
  }
  Dims dims{from.dims[0], in.c};
  if (node.integer("keepdims", 1) != 0) {
    dims.resize(from.dims.size(), 1);
  }
  auto& layer = import.append(node, LayerKind::global_average_pool, {from.layer}, {in.c, 1, 1});
  layer.kernel_h = in.h;
  layer.kernel_w = in.w;
  import.finish(node, std::move(dims));
}

void import_pad(GraphImport& import, const Node& node) {
  auto value = import.value(node, 0);
  const auto pads = import.integers(node, "pads", 1);
  const auto rank = value.dims.size();
  float fill = node.number("value", 0);
  if (const auto* tensor = import.optional_constant(node, 2)) {
    fill = tensor->floats.empty() ? 0 : tensor->floats[0];
  }
  if (node.text("mode", "constant") != "constant" || fill != 0 || !node.input(3).empty()) {
    throw Unsupported("only zeros on named sides of all axes can be padded");
  }
  if (!pads || pads->size() != 2 * rank || rank < 3 || rank > 4) {
    throw Unsupported(fmt::format("its padding does not fit {}", to_string(value.dims)));
  }
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const auto before = (*pads)[axis];
    const auto after = (*pads)[axis + rank];
    if (before < 0 || after < 0 || (axis < 2 && before + after > 0)) {
      throw Unsupported("it cuts, or pads batch or channels; only positions can be padded");
    }
    value.dims[axis] += before + after;
    if (axis >= 2) {
      value.padding[axis - 2] += before;
      value.padding[axis] += after;
    }
  }
  value.nhwc_input = false;
  import.define(node, std::move(value));
}

}  // namespace rightsize::onnx
