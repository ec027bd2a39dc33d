// Layers of sequences: tables of embeddings, norms over features, a learned first position, the
// mean over positions.
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "kernels/onnx/operators.h"
#include "kernels/onnx/shapes.h"

namespace rightsize::onnx {
namespace {

// Rows of a constant table by the network's own ids.
void import_embedding(GraphImport& import, const Node& node) {
  const auto& table = import.constant(node, 0);
  const auto& ids = import.value(node, 1);
  if (ids.layer != 0 || !import.reads_tokens() || !ids.strides.empty() || table.integral ||
      table.dims.size() != 2 || node.integer("axis", 0) != 0) {
    throw Unsupported(
        fmt::format("rows of {} chosen by something computed; those of a table, by "
                    "the input's ids, can be run",
                    to_string(table.dims)));
  }
  const auto in = import.layer(0).out;
  auto& layer = import.append(node, LayerKind::embedding, {0}, {table.dims[1], in.h, in.w});
  layer.vocabulary = table.dims[0];
  import.set_parameter(layer, ".weights", table.floats);
  import.read_tokens(table.dims[0]);
  auto dims = ids.dims;
  dims.push_back(table.dims[1]);
  import.finish(node, std::move(dims));
}

std::vector<float> feature_values(GraphImport& import,
                                  const Node& node,
                                  std::size_t input,
                                  std::int64_t features,
                                  float otherwise) {
  const auto* tensor = import.optional_constant(node, input);
  if (tensor == nullptr) {
    return std::vector<float>(static_cast<std::size_t>(features), otherwise);
  }
  if (static_cast<std::int64_t>(tensor->floats.size()) != features) {
    throw Unsupported(fmt::format(
        "its input {} has {} values for {} features", input, tensor->floats.size(), features));
  }
  return tensor->floats;
}

// One item's share of a constant that repeats for every item of a fixed batch; else as it is.
Tensor of_one_item(const Tensor& table, const Value& value, std::int64_t batch) {
  const auto each = table.floats.size() / static_cast<std::size_t>(batch);
  if (batch == 1 || table.dims != value.dims || table.dims.empty() || table.dims[0] != batch ||
      !std::equal(table.floats.begin() + static_cast<std::ptrdiff_t>(each),
                  table.floats.end(),
                  table.floats.begin())) {
    return table;
  }
  auto one = table;
  one.dims[0] = 1;
  one.floats.resize(each);
  return one;
}

}  // namespace

void import_gather(GraphImport& import, const Node& node) {
  if (import.is_constant(node.input(0))) {
    return import_embedding(import, node);
  }
  gather_view(import, node);
}

namespace {

// What a norm over the features of each position reads.
Value normalised_features(GraphImport& import, const Node& node) {
  auto from = import.settled(node, import.value(node, 0));
  const auto out = import.layer(from.layer).out;
  const auto axis = axis_of(node.integer("axis", -1), from.dims.size());
  const bool features = !from.dims.empty() && from.dims.back() == out.c &&
                        (import.is_sequence(from.layer) || out.positions() == 1);
  if (!axis || *axis + 1 != from.dims.size() || !features) {
    throw Unsupported(
        fmt::format("it normalises {} over other axes than the features of each "
                    "position",
                    to_string(from.dims)));
  }
  return from;
}

}  // namespace

void import_rms_norm(GraphImport& import, const Node& node) {
  auto from = normalised_features(import, node);
  const auto out = import.layer(from.layer).out;
  auto scale = feature_values(import, node, 1, out.c, 1);
  auto& layer = import.append(node, LayerKind::rms_norm, {from.layer}, out);
  layer.epsilon = node.number("epsilon", 1e-5F);
  import.set_parameter(layer, ".scale", std::move(scale));
  import.finish(node, std::move(from.dims));
}

void import_layer_norm(GraphImport& import, const Node& node) {
  auto from = normalised_features(import, node);
  const auto out = import.layer(from.layer).out;
  auto scale = feature_values(import, node, 1, out.c, 1);
  auto shift = feature_values(import, node, 2, out.c, 0);
  auto& layer = import.append(node, LayerKind::layer_norm, {from.layer}, out);
  layer.epsilon = node.number("epsilon", 1e-5F);
  import.set_parameter(layer, ".scale", std::move(scale));
  import.set_parameter(layer, ".shift", std::move(shift));
  import.finish(node, std::move(from.dims));
}

// A constant in front of the first position, the same for every item.
void import_class_token(GraphImport& import, const Node& node) {
  const auto& token = import.constant(node, 0);
  const auto from = import.settled(node, import.value(node, 1));
  const auto in = import.layer(from.layer).out;
  const auto axis = axis_of(node.integer("axis", 1), from.dims.size());
  const auto width = static_cast<std::size_t>(in.c);
  const auto count = static_cast<std::size_t>(import.batch()) * width;
  bool same = import.is_sequence(from.layer) && from.dims.size() == 3 && axis == std::size_t{1} &&
              !token.integral && token.dims.size() == 3 && token.dims[1] == 1 &&
              token.floats.size() == count;
  for (std::size_t i = width; same && i < count; ++i) {
    same = token.floats[i] == token.floats[i - width];
  }
  if (!same) {
    throw Unsupported(
        fmt::format("it puts a constant of {} in front of {}; one position that is "
                    "learned can be put in front of others",
                    to_string(token.dims),
                    to_string(from.dims)));
  }
  const FeatureShape out{in.c, in.positions() + 1, 1};
  auto& layer = import.append(node, LayerKind::class_token, {from.layer}, out);
  import.set_parameter(layer, ".weights", {token.floats.begin(), token.floats.begin() + in.c});
  import.finish(node, {from.dims[0], out.h, out.c});
}

// A row for each position: a learned table, as exporters leave one whose ids are known.
bool add_positions(GraphImport& import,
                   const Node& node,
                   const Value& value,
                   const Tensor& constant) {
  const auto table = of_one_item(constant, value, import.batch());
  const auto out = import.layer(value.layer).out;
  const auto shape = squeezed(table.dims, std::nullopt).value_or(Dims{});
  if (table.integral || !import.is_sequence(value.layer) || out.positions() == 1 ||
      shape.size() != 2 || shape[1] != out.c) {
    return false;
  }
  if (shape[0] != out.positions()) {
    throw Unsupported(
        fmt::format("{} learned positions for a sequence of {}; where the file leaves "
                    "the length open, --sequence sets it",
                    shape[0],
                    out.positions()));
  }
  auto from = import.settled(node, value);
  if (import.layer(from.layer).kind == LayerKind::position_embedding && from.sole) {
    auto& rows = import.parameter(import.layer(from.layer), ".weights");
    std::transform(
        rows.begin(), rows.end(), table.floats.begin(), rows.begin(), std::plus<float>());
    import.define(node, std::move(from));
    return true;
  }
  auto& layer = import.append(node, LayerKind::position_embedding, {from.layer}, out);
  layer.vocabulary = out.positions();
  import.set_parameter(layer, ".weights", table.floats);
  import.finish(node, std::move(from.dims));
  return true;
}

void import_position_mean(GraphImport& import, const Node& node) {
  const auto from = import.settled(node, import.value(node, 0));
  const auto in = import.layer(from.layer).out;
  const auto axes = import.integers(node, "axes", 1).value_or(Dims{});
  const auto axis = axes.size() == 1 ? axis_of(axes[0], from.dims.size()) : std::nullopt;
  if (from.dims != Dims{import.batch(), in.positions(), in.c} || axis != std::size_t{1}) {
    throw Unsupported(
        fmt::format("its mean over axes {} of {}; the mean over all positions can be "
                    "run",
                    to_string(axes),
                    to_string(from.dims)));
  }
  auto& layer = import.append(node, LayerKind::global_average_pool, {from.layer}, {in.c, 1, 1});
  layer.kernel_h = in.h;
  layer.kernel_w = in.w;
  const bool keeps = node.integer("keepdims", 1) != 0;
  import.finish(node, keeps ? Dims{from.dims[0], 1, in.c} : Dims{from.dims[0], in.c});
}

}  // namespace rightsize::onnx
