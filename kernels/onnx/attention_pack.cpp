#include "kernels/onnx/attention_pack.h"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace rightsize::onnx {
namespace {

// Rows of one linear layer: which of its features are the heads', head by head.
struct HeadRows {
  int layer = 0;
  std::int64_t heads = 1;
  std::int64_t size = 0;  // features of a head
  Dims features;
  double factor = 1;
};

struct HeadAxis {
  std::int64_t heads = 1;
  std::int64_t stride = 0;
};

[[noreturn]] void refuse(const Value& view) {
  throw Unsupported(fmt::format(
      "attention over {} that is no view of a linear layer's features by head, position "
      "and feature",
      to_string(view.dims)));
}

// In front of positions and features there are the batch and at most one axis more.
HeadAxis head_axis(GraphImport& import, const Value& view, const Dims& strides) {
  const auto item = import.layer(view.layer).out.elements();
  HeadAxis found;
  bool batched = import.batch() == 1;
  for (std::size_t axis = 0; axis + 2 < view.dims.size(); ++axis) {
    const auto size = axis + 3 == view.dims.size() ? view.dims[axis] / view.group : view.dims[axis];
    if (size == 1) {
      continue;
    }
    if (strides[axis] == 0) {
      refuse(view);  // one head for all, and no layer of ours shares it so
    }
    if (!batched && size == import.batch() && strides[axis] == item) {
      batched = true;
    } else if (found.heads == 1) {
      found = {size, strides[axis]};
    } else {
      refuse(view);
    }
  }
  if (!batched) {
    refuse(view);
  }
  return found;
}

HeadRows head_rows(GraphImport& import, const Value& view) {
  const auto out = import.layer(view.layer).out;
  const auto strides = strides_of(view);
  const auto rank = view.dims.size();
  const bool positions = view.dims[rank - 2] == out.positions() &&
                         (out.positions() == 1 || strides[rank - 2] == out.c);
  if (!import.is_sequence(view.layer) || !positions) {
    refuse(view);
  }
  const auto axis = head_axis(import, view, strides);
  HeadRows rows{view.layer, axis.heads, view.dims.back(), {}, 1};
  for (std::int64_t head = 0; head < rows.heads; ++head) {
    for (std::int64_t feature = 0; feature < rows.size; ++feature) {
      const auto at = view.offset + head * axis.stride + feature * strides.back();
      if (at < 0 || at >= out.c) {
        refuse(view);
      }
      rows.features.push_back(at);
    }
  }
  return rows;
}

// One linear layer gives exactly these, in this order.
bool is_packed(GraphImport& import, const std::vector<HeadRows>& parts) {
  Dims features;
  for (const auto& part : parts) {
    if (part.layer != parts[0].layer || std::abs(part.factor - 1) > 1e-4) {
      return false;
    }
    features.insert(features.end(), part.features.begin(), part.features.end());
  }
  Dims all(static_cast<std::size_t>(import.layer(parts[0].layer).out.c));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  return features == all;
}

void require_linear(GraphImport& import, const std::vector<HeadRows>& parts) {
  const auto source = import.layer(parts[0].layer).inputs;
  for (const auto& part : parts) {
    const auto& layer = import.layer(part.layer);
    if (layer.kind != LayerKind::linear || layer.tied_to >= 0) {
      throw Unsupported(
          fmt::format("attention over what \"{}\" gives, which is no linear layer", layer.name));
    }
    if (layer.inputs != source) {
      throw Unsupported("queries, keys and values that come from different tensors");
    }
  }
}

// A linear layer of the chosen rows of several that read the same.
int append_packed(GraphImport& import, const Node& node, const std::vector<HeadRows>& parts) {
  require_linear(import, parts);
  std::vector<float> weights;
  std::vector<float> bias;
  bool has_bias = false;
  for (const auto& part : parts) {
    const auto& layer = import.layer(part.layer);
    const auto& from = import.parameter(layer, ".weights");
    const auto width = static_cast<std::size_t>(import.layer(layer.inputs[0]).out.c);
    const auto factor = static_cast<float>(part.factor);
    for (const auto feature : part.features) {
      const auto row = static_cast<std::size_t>(feature);
      for (std::size_t i = 0; i < width; ++i) {
        weights.push_back(factor * from[row * width + i]);
      }
      bias.push_back(layer.bias ? factor * import.parameter(layer, ".bias")[row] : 0.0F);
    }
    has_bias = has_bias || layer.bias;
  }
  const auto& first = import.layer(parts[0].layer);
  const FeatureShape out{static_cast<std::int64_t>(bias.size()), first.out.h, first.out.w};
  auto& packed = import.append(node, LayerKind::linear, std::vector<int>(first.inputs), out);
  packed.bias = has_bias;
  const auto products =
      static_cast<double>(weights.size() * static_cast<std::size_t>(out.positions()));
  import.owe(-2 * products);  // the layers it is put together from have them too
  import.set_parameter(packed, ".weights", std::move(weights));
  if (has_bias) {
    import.set_parameter(packed, ".bias", std::move(bias));
  }
  return import.last_layer();
}

// Our layer turns both, head by head.
void require_same_turn(const Value& query, const Value& key, std::int64_t size) {
  const bool sized =
      query.rotary_base == 0 || (query.turned_size == size && key.turned_size == size);
  if (query.rotary_base != key.rotary_base || !sized) {
    throw Unsupported("attention whose queries and keys are not turned by the same positions");
  }
}

// The layer's own numbers lie by position, head and feature.
Dims output_strides(GraphImport& import,
                    const Value& values,
                    std::int64_t item,
                    std::int64_t width) {
  const auto from = strides_of(values);
  const auto item_before = import.layer(values.layer).out.elements();
  const auto size = values.dims.back();
  Dims strides;
  for (std::size_t axis = 0; axis + 2 < values.dims.size(); ++axis) {
    const bool batch = import.batch() > 1 && from[axis] == item_before;
    strides.push_back(values.dims[axis] == 1 ? 0 : batch ? item : size);
  }
  strides.push_back(width);
  strides.push_back(1);
  return strides;
}

}  // namespace

void append_attention(GraphImport& import,
                      const Node& node,
                      const Scores& scores,
                      const Value& values,
                      const Dims& dims,
                      double flops) {
  for (const auto* part : {&scores.query, &scores.key, &values}) {
    if (import.is_placeholder(part->layer)) {
      import.owe(flops);
      return import.define(node, {dims, import.append_placeholder(dims), false});
    }
  }
  std::vector<HeadRows> parts{
      head_rows(import, scores.query), head_rows(import, scores.key), head_rows(import, values)};
  const auto heads = parts[0].heads;
  const auto size = parts[0].size;
  const auto kv_heads = parts[1].heads;
  if (scores.query.group != 1 || kv_heads * scores.key.group != heads ||
      parts[2].heads != kv_heads || parts[2].size != size) {
    throw Unsupported("attention whose queries, keys and values differ in heads or features");
  }
  require_same_turn(scores.query, scores.key, size);
  parts[0].factor = scores.scale * std::sqrt(static_cast<double>(size));  // the layer's own scale
  parts[2].factor = values.factor;
  const auto positions = import.layer(values.layer).out.positions();
  const int packed = is_packed(import, parts) ? parts[0].layer : append_packed(import, node, parts);
  auto& layer = import.append(node, LayerKind::attention, {packed}, {heads * size, positions, 1});
  layer.heads = heads;
  layer.kv_heads = kv_heads;
  layer.head_dim = size;
  layer.causal = scores.causal;
  layer.rotary_base = scores.query.rotary_base;
  import.owe(-flops);  // the queries' product, as large: the layer has both
  Value result{dims, import.last_layer(), true};
  result.strides = output_strides(import, values, heads * size * positions, heads * size);
  import.define(node, std::move(result));
}

}  // namespace rightsize::onnx
