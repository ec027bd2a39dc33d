// Sums, products and their inverses: of two layers, or of a layer and a constant. A constant per
// channel behind a layer with weights is folded into them, which changes nothing that can be
// learned; others have no layer.
#include <algorithm>

#include <fmt/format.h>

#include "kernels/onnx/attention.h"
#include "kernels/onnx/operators.h"

namespace rightsize::onnx {
namespace {

// Opset 6 aligned the second operand by an attribute, not to the right.
Dims aligned(const Node& node, const Tensor& tensor, std::size_t rank, std::int64_t opset) {
  constexpr std::int64_t aligned_right_since = 7;
  auto dims = tensor.dims;
  if (opset < aligned_right_since && node.has("axis") && dims.size() < rank) {
    const auto axis = node.integer("axis", 0);
    const auto behind =
        static_cast<std::int64_t>(rank) - axis - static_cast<std::int64_t>(dims.size());
    dims.insert(dims.end(), static_cast<std::size_t>(std::max<std::int64_t>(behind, 0)), 1);
  }
  while (dims.size() < rank) {
    dims.insert(dims.begin(), 1);
  }
  return dims;
}

// One value per channel of `value`, however the constant is shaped.
std::vector<float> per_channel(GraphImport& import,
                               const Node& node,
                               const Value& value,
                               const Tensor& tensor) {
  const bool sequence = import.is_sequence(value.layer);
  const auto channels = sequence ? import.layer(value.layer).out.c : import.image(value).c;
  const auto dims = aligned(node, tensor, value.dims.size(), import.opset());
  const auto channel_axis = sequence ? value.dims.size() - 1 : 1;
  bool fits = !tensor.integral && dims.size() == value.dims.size();
  for (std::size_t axis = 0; fits && axis < dims.size(); ++axis) {
    fits = dims[axis] == 1 || (axis == channel_axis && dims[axis] == channels);
  }
  if (!fits) {
    throw Unsupported(
        fmt::format("a constant of {} on {}; one value, or one for each channel, can "
                    "be folded into the layer in front",
                    to_string(tensor.dims),
                    to_string(value.dims)));
  }
  return tensor.floats.size() == 1
             ? std::vector<float>(static_cast<std::size_t>(channels), tensor.floats[0])
             : tensor.floats;
}

struct Affine {
  std::vector<float> factor;   // by channel; empty: 1
  std::vector<float> summand;  // empty: 0
};

void scale_rows(std::vector<float>& weights, const std::vector<float>& factor) {
  const auto row = weights.size() / factor.size();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] *= factor[i / row];
  }
}

void apply(const Affine& affine, std::vector<float>& bias) {
  for (std::size_t c = 0; c < bias.size(); ++c) {
    bias[c] = bias[c] * (affine.factor.empty() ? 1 : affine.factor[c]) +
              (affine.summand.empty() ? 0 : affine.summand[c]);
  }
}

bool is_norm(const Layer& layer) {
  return layer.kind == LayerKind::batch_norm || layer.kind == LayerKind::layer_norm;
}

bool is_product(const Layer& layer) {
  return layer.kind == LayerKind::convolution || layer.kind == LayerKind::fully_connected ||
         layer.kind == LayerKind::linear;
}

// Whose weights a constant behind `layer` is to change: the layer, or what it is a view of.
Layer& weighted(GraphImport& import, int layer) {
  auto* found = &import.layer(layer);
  while (found->kind == LayerKind::to_image) {
    found = &import.layer(found->inputs[0]);
  }
  return *found;
}

bool takes_constants(GraphImport& import, const Value& value) {
  const auto& layer = weighted(import, value.layer);
  return value.sole && value.strides.empty() && value.factor == 1 &&
         (is_norm(layer) || is_product(layer));
}

void fold_into(GraphImport& import, const Node& node, const Value& value, const Affine& affine) {
  auto& layer = weighted(import, value.layer);
  const bool norm = is_norm(layer);
  const bool product = is_product(layer);
  if (!takes_constants(import, value) || (layer.tied_to >= 0 && !affine.factor.empty())) {
    throw Unsupported("a constant behind no layer with weights of its own to fold it into");
  }
  if (!affine.factor.empty()) {
    scale_rows(import.parameter(layer, norm ? ".scale" : ".weights"), affine.factor);
  }
  if (product && !layer.bias && !affine.summand.empty()) {
    layer.bias = true;
    import.set_parameter(
        layer, ".bias", std::vector<float>(static_cast<std::size_t>(layer.out.c), 0.0F));
  }
  if (norm || layer.bias) {
    apply(affine, import.parameter(layer, norm ? ".shift" : ".bias"));
  }
  import.define(node, value);
}

bool second_is_constant(const GraphImport& import, const Node& node) {
  return import.is_constant(node.input(1));
}

// The operand that is no constant, and the one that is.
struct Operands {
  const Value& value;
  const Tensor& constant;
};

Operands operands(GraphImport& import, const Node& node) {
  const std::size_t constant = second_is_constant(import, node) ? 1 : 0;
  return {import.value(node, 1 - constant), import.constant(node, constant)};
}

// The attention scores among two operands, whose other one is a constant; nullptr where none are.
const Value* scores_beside_constant(GraphImport& import, const Node& node) {
  for (const std::size_t i : {0, 1}) {
    if (import.is_value(node.input(i)) && import.is_constant(node.input(1 - i))) {
      const auto& value = import.any_value(node, i);
      return value.scores ? &value : nullptr;
    }
  }
  return nullptr;
}

// One number on scores of attention, or on what is to become queries, keys or values, goes along
// with them; false where the constant is for a layer's weights.
bool scale_along(GraphImport& import, const Node& node, const Tensor& constant, bool divides) {
  if (constant.integral || constant.floats.size() != 1) {
    return false;
  }
  const auto number = static_cast<double>(constant.floats[0]);
  const double factor = divides ? 1 / number : number;
  if (const auto* scores = scores_beside_constant(import, node)) {
    scale_scores(import, node, *scores, factor);
    return true;
  }
  auto value = import.any_value(node, second_is_constant(import, node) ? 0 : 1);
  const bool of_heads = value.rotary_base != 0 || value.group != 1;
  if (!import.is_sequence(value.layer) || (!of_heads && takes_constants(import, value))) {
    return false;
  }
  value.factor *= factor;
  import.define(node, std::move(value));
  return true;
}

std::vector<float> mapped(std::vector<float> values, float (*function)(float)) {
  std::transform(values.begin(), values.end(), values.begin(), function);
  return values;
}

void add_values(GraphImport& import, const Node& node) {
  std::vector<int> inputs;
  const auto first = import.settled(node, import.value(node, 0));
  const auto out = import.layer(first.layer).out;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const auto value = import.settled(node, import.value(node, i));
    if (value.dims != first.dims || import.layer(value.layer).out != out ||
        import.is_sequence(value.layer) != import.is_sequence(first.layer)) {
      throw Unsupported(fmt::format("a sum of {} and {}; summands of one shape can be run",
                                    to_string(first.dims),
                                    to_string(value.dims)));
    }
    inputs.push_back(value.layer);
  }
  if (inputs.size() == 1) {
    return import.define(node, first);
  }
  import.append(node, LayerKind::add, std::move(inputs), out);
  import.finish(node, first.dims);
}

void multiply_sequences(GraphImport& import, const Node& node) {
  const auto a = import.settled(node, import.value(node, 0));
  const auto b = import.settled(node, import.value(node, 1));
  const auto out = import.layer(a.layer).out;
  if (a.dims != b.dims || import.layer(b.layer).out != out) {
    throw Unsupported(
        fmt::format("a product of sequences of {} and {}", to_string(a.dims), to_string(b.dims)));
  }
  import.append(node, LayerKind::multiply, {a.layer, b.layer}, out);
  import.finish(node, a.dims);
}

}  // namespace

void import_add(GraphImport& import, const Node& node) {
  if (!import.is_constant(node.input(0)) && !second_is_constant(import, node)) {
    return add_values(import, node);
  }
  if (const auto* scores = scores_beside_constant(import, node)) {
    return mask_scores(
        import, node, *scores, import.constant(node, second_is_constant(import, node) ? 1 : 0));
  }
  const auto [value, constant] = operands(import, node);
  if (!add_positions(import, node, value, constant)) {
    fold_into(import, node, value, {{}, per_channel(import, node, value, constant)});
  }
}

void import_sum(GraphImport& import, const Node& node) {
  add_values(import, node);
}

void import_subtract(GraphImport& import, const Node& node) {
  const auto [value, constant] = operands(import, node);
  auto values = per_channel(import, node, value, constant);
  if (second_is_constant(import, node)) {
    values = mapped(std::move(values), [](float v) { return -v; });
    return fold_into(import, node, value, {{}, std::move(values)});
  }
  fold_into(import, node, value, {std::vector<float>(values.size(), -1.0F), std::move(values)});
}

void import_multiply(GraphImport& import, const Node& node) {
  if (import.is_constant(node.input(0)) || second_is_constant(import, node)) {
    if (scale_along(
            import, node, import.constant(node, second_is_constant(import, node) ? 1 : 0), false)) {
      return;
    }
    const auto [value, constant] = operands(import, node);
    return fold_into(import, node, value, {per_channel(import, node, value, constant), {}});
  }
  auto a = import.value(node, 0);
  auto b = import.value(node, 1);
  if (import.is_sequence(a.layer) && import.is_sequence(b.layer)) {
    return multiply_sequences(import, node);
  }
  auto left = import.image(a);
  auto right = import.image(b);
  if (left.positions() < right.positions()) {
    std::swap(a, b);
    std::swap(left, right);
  }
  if (a.dims.size() != b.dims.size() || (left != right && right != FeatureShape{left.c, 1, 1})) {
    throw Unsupported(
        fmt::format("a product of {} and {}; one shape, or one value per channel, "
                    "can be run",
                    to_string(a.dims),
                    to_string(b.dims)));
  }
  import.append(node, LayerKind::multiply, {a.layer, b.layer}, left);
  import.finish(node, a.dims);
}

void import_divide(GraphImport& import, const Node& node) {
  if (!second_is_constant(import, node)) {
    throw Unsupported("a quotient by something computed");
  }
  if (scale_along(import, node, import.constant(node, 1), true)) {
    return;
  }
  const auto [value, constant] = operands(import, node);
  auto values = mapped(per_channel(import, node, value, constant), [](float v) { return 1 / v; });
  fold_into(import, node, value, {std::move(values), {}});
}

}  // namespace rightsize::onnx
