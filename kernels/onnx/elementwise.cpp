// Activations, dropout, concatenation and what else has neither weights nor a window.
#include <cmath>

#include <fmt/format.h>

#include "kernels/onnx/attention.h"
#include "kernels/onnx/operators.h"
#include "kernels/onnx/recurrent.h"

namespace rightsize::onnx {
namespace {

// The shape in the file does not matter to a function of single elements.
Layer& append_same(GraphImport& import, const Node& node, LayerKind kind) {
  auto from = import.settled(node, import.value(node, 0));
  const auto out = import.layer(from.layer).out;
  auto& layer = import.append(node, kind, {from.layer}, out);
  import.finish(node, std::move(from.dims));
  return layer;
}

void append_activation(GraphImport& import,
                       const Node& node,
                       Activation function,
                       float alpha = 1) {
  auto& layer = append_same(import, node, LayerKind::activation);
  layer.activation = function;
  layer.activation_alpha = alpha;
}

// Attribute before opset 11, input since; absent: no bound.
float bound(GraphImport& import, const Node& node, const char* name, std::size_t input) {
  const float none =
      input == 1 ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
  if (node.has(name)) {
    return node.number(name, none);
  }
  const auto* tensor = import.optional_constant(node, input);
  if (tensor == nullptr) {
    return none;
  }
  if (tensor->floats.size() != 1) {
    throw Unsupported("its bounds are not single FP32 numbers");
  }
  return tensor->floats[0];
}

bool is_open(float limit) {
  return std::abs(limit) >= std::numeric_limits<float>::max();  // exporters write either
}

}  // namespace

void import_relu(GraphImport& import, const Node& node) {
  append_same(import, node, LayerKind::relu);
}

void import_clip(GraphImport& import, const Node& node) {
  const float low = bound(import, node, "min", 1);
  const float high = bound(import, node, "max", 2);
  if (is_open(low) && is_open(high)) {
    return import.define(node, import.value(node, 0));
  }
  if (low == 0 && is_open(high)) {
    return import_relu(import, node);
  }
  if (low == 0 && high == 6) {
    return append_activation(import, node, Activation::relu6);
  }
  throw Unsupported(fmt::format("it clips to {} .. {}; 0 .. 6 (ReLU6) can be run", low, high));
}

void import_sigmoid(GraphImport& import, const Node& node) {
  append_activation(import, node, Activation::sigmoid);
}

void import_tanh(GraphImport& import, const Node& node) {
  append_activation(import, node, Activation::tanh);
}

void import_gelu(GraphImport& import, const Node& node) {
  append_activation(
      import,
      node,
      node.text("approximate", "none") == "tanh" ? Activation::gelu_tanh : Activation::gelu);
}

void import_silu(GraphImport& import, const Node& node) {
  append_activation(import, node, Activation::silu);
}

// TensorFlow's and ONNX's own default is another line, x / 5 + 1 / 2.
void import_hard_sigmoid(GraphImport& import, const Node& node) {
  const float alpha = node.number("alpha", 0.2F);
  const float beta = node.number("beta", 0.5F);
  if (std::abs(6 * alpha - 1) > 1e-4F || beta != 0.5F) {
    throw Unsupported(
        fmt::format("it clips {} x + {}; x / 6 + 1 / 2, MobileNetV3's, can be run", alpha, beta));
  }
  append_activation(import, node, Activation::hard_sigmoid);
}

void import_hard_swish(GraphImport& import, const Node& node) {
  append_activation(import, node, Activation::hard_swish);
}

void import_leaky_relu(GraphImport& import, const Node& node) {
  append_activation(import, node, Activation::leaky_relu, node.number("alpha", 0.01F));
}

void import_elu(GraphImport& import, const Node& node) {
  append_activation(import, node, Activation::elu, node.number("alpha", 1.0F));
}

void import_dropout(GraphImport& import, const Node& node) {
  float rate = node.number("ratio", 0.5F);
  if (const auto* tensor = import.optional_constant(node, 1)) {
    if (tensor->floats.size() != 1) {
      throw Unsupported("its ratio is not a single number");
    }
    rate = tensor->floats[0];
  }
  if (const auto* training = import.optional_constant(node, 2)) {
    if (!training->ints.empty() && training->ints[0] != 0) {
      throw Unsupported("it was exported in training mode; call model.eval() before the export");
    }
  }
  if (rate <= 0) {
    return import.define(node, import.any_value(node, 0));
  }
  append_same(import, node, LayerKind::dropout).dropout_rate = rate;
}

void import_local_response_norm(GraphImport& import, const Node& node) {
  const auto size = node.integer("size", 0);
  if (size < 1 || size % 2 == 0) {
    throw Unsupported(fmt::format("its window of {} channels has no middle", size));
  }
  static_cast<void>(import.image(import.value(node, 0)));
  auto& layer = append_same(import, node, LayerKind::local_response_norm);
  layer.lrn_size = size;
  layer.lrn_alpha = node.number("alpha", 1e-4F);
  layer.lrn_beta = node.number("beta", 0.75F);
  layer.lrn_k = node.number("bias", 1.0F);
}

void import_concat(GraphImport& import, const Node& node) {
  if (node.inputs.size() == 2 && import.is_constant(node.input(0))) {
    return import_class_token(import, node);
  }
  if (join_parts(import, node) || stack_states(import, node)) {
    return;
  }
  std::vector<int> inputs;
  auto dims = import.value(node, 0).dims;
  auto out = import.image(import.value(node, 0));
  const auto axis = node.integer("axis", 1);
  if (axis != 1 && axis + static_cast<std::int64_t>(dims.size()) != 1) {
    throw Unsupported(fmt::format("it joins along axis {}; channels, axis 1, can be joined", axis));
  }
  out.c = 0;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const auto& part = import.value(node, i);
    const auto shape = import.image(part);
    if (shape.h != out.h || shape.w != out.w || part.dims.size() != dims.size()) {
      throw Unsupported("its inputs differ in more than their channels");
    }
    out.c += shape.c;
    inputs.push_back(part.layer);
  }
  dims[1] = out.c;
  if (inputs.size() == 1) {
    return import.define(node, import.value(node, 0));
  }
  import.append(node, LayerKind::concat, std::move(inputs), out);
  import.finish(node, std::move(dims));
}

// Of attention's scores, or at the end: the loss has its own softmax.
void import_softmax(GraphImport& import, const Node& node) {
  if (import.any_value(node, 0).scores && node.op == "Softmax") {
    return normalise_scores(import, node, import.any_value(node, 0));
  }
  if (!import.is_last(node)) {
    throw Unsupported("only a last softmax can be run, as part of the loss");
  }
  const auto& from = import.value(node, 0);
  const auto rank = static_cast<std::int64_t>(from.dims.size());
  const bool sequence = import.is_sequence(from.layer) && rank > 0;
  const auto shape = sequence ? FeatureShape{from.dims.back(), 1, 1} : import.image(from);
  const std::int64_t channels = sequence ? rank - 1 : 1;
  constexpr std::int64_t per_axis_since = 13;  // before, all axes from `axis` on were one
  const bool per_axis = import.opset() >= per_axis_since;
  auto axis = node.integer("axis", per_axis ? -1 : 1);
  axis = axis < 0 ? axis + rank : axis;
  const bool over_channels = axis == channels && (per_axis || shape.positions() == 1);
  if (!over_channels) {
    throw Unsupported(fmt::format("it normalises over axis {} of {}; channels, axis {}, can be run",
                                  axis,
                                  to_string(from.dims),
                                  channels));
  }
  import.note(
      fmt::format("{} at the end is left to the loss, which computes it", node.described()));
  import.define(node, from);
}

}  // namespace rightsize::onnx
