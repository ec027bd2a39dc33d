// Normalisation and linear layers: operators with weights and no window.
#include <algorithm>

#include <fmt/format.h>

#include "kernels/onnx/attention.h"
#include "kernels/onnx/operators.h"

namespace rightsize::onnx {
namespace {

const std::vector<float>& channel_values(GraphImport& import,
                                         const Node& node,
                                         std::size_t input,
                                         std::int64_t channels) {
  const auto& tensor = import.constant(node, input);
  if (static_cast<std::int64_t>(tensor.floats.size()) != channels) {
    throw Unsupported(fmt::format(
        "its input {} has {} values for {} channels", input, tensor.floats.size(), channels));
  }
  return tensor.floats;
}

std::vector<float> transposed(const std::vector<float>& values,
                              std::int64_t rows,
                              std::int64_t columns) {
  std::vector<float> result(values.size());
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      result[static_cast<std::size_t>(c * rows + r)] =
          values[static_cast<std::size_t>(r * columns + c)];
    }
  }
  return result;
}

struct Linear {
  std::vector<float> weights;  // features x inputs
  std::vector<float> bias;     // empty: none in the file
  std::int64_t features = 0;
};

// Rows of features; `is_transposed`: the file has them that way.
Linear linear_weights(const Tensor& matrix, const Value& from, bool is_transposed) {
  if (matrix.integral || matrix.dims.size() != 2 || from.dims.size() < 2) {
    throw Unsupported(
        fmt::format("a product of {} and {}; a batch of vectors times a constant "
                    "matrix can be run",
                    to_string(from.dims),
                    to_string(matrix.dims)));
  }
  const auto inputs = matrix.dims[is_transposed ? 1 : 0];
  const auto features = matrix.dims[is_transposed ? 0 : 1];
  if (inputs != from.dims.back()) {
    throw Unsupported(
        fmt::format("a matrix of {} for {} features", to_string(matrix.dims), from.dims.back()));
  }
  return {
      is_transposed ? matrix.floats : transposed(matrix.floats, inputs, features), {}, features};
}

// A sequence as one vector: its columns by channel and position, as fully connected layers read.
void order_columns(Linear& linear, const FeatureShape& in) {
  for (std::int64_t feature = 0; feature < linear.features; ++feature) {
    const auto begin = linear.weights.begin() + feature * in.elements();
    const std::vector<float> by_position(begin, begin + in.elements());
    const auto ordered = transposed(by_position, in.positions(), in.c);
    std::copy(ordered.begin(), ordered.end(), begin);
  }
}

// The same matrix at every position; without weights of its own where they are an embedding's.
void append_at_positions(GraphImport& import, const Node& node, const Value& from, Linear linear) {
  const auto in = import.layer(from.layer).out;
  const auto table = import.embedding_of(linear.weights);
  auto dims = from.dims;
  dims.back() = linear.features;
  auto& layer = import.append(node, LayerKind::linear, {from.layer}, {linear.features, in.h, in.w});
  layer.bias = !linear.bias.empty();
  if (table) {
    layer.tied_to = *table;
  } else {
    import.set_parameter(layer, ".weights", std::move(linear.weights));
  }
  if (layer.bias) {
    import.set_parameter(layer, ".bias", std::move(linear.bias));
  }
  import.finish(node, std::move(dims));
}

void append_linear(GraphImport& import, const Node& node, const Value& whole, Linear linear) {
  const auto from = import.settled(node, whole);
  const auto in = import.layer(from.layer).out;
  const bool by_position = import.is_sequence(from.layer);
  if (by_position && in.positions() > 1 && from.dims.back() == in.c) {
    return append_at_positions(import, node, from, std::move(linear));
  }
  const bool vectors = from.dims.back() == in.elements() || import.is_placeholder(from.layer);
  if (!vectors || from.dims[0] != import.batch()) {
    throw Unsupported("the batch is not the first dimension of its input");
  }
  if (by_position && in.positions() > 1 && !import.is_placeholder(from.layer)) {
    order_columns(linear, in);
  }
  if (linear.bias.empty()) {
    linear.bias.assign(static_cast<std::size_t>(linear.features), 0.0F);
  }
  auto dims = from.dims;
  dims.back() = linear.features;
  auto& layer =
      import.append(node, LayerKind::fully_connected, {from.layer}, {linear.features, 1, 1});
  layer.bias = true;
  import.set_parameter(layer, ".weights", std::move(linear.weights));
  import.set_parameter(layer, ".bias", std::move(linear.bias));
  import.finish(node, std::move(dims));
}

void scale(std::vector<float>& values, float factor) {
  for (auto& value : values) {
    value *= factor;
  }
}

// C of Gemm, spread to one value per feature.
std::vector<float> spread(const Tensor& tensor, std::int64_t features) {
  const auto count = static_cast<std::int64_t>(tensor.floats.size());
  const bool row = tensor.dims.empty() || tensor.dims.back() == count;
  if (tensor.integral || !row || (count != 1 && count != features)) {
    throw Unsupported(
        fmt::format("its summand of {} is not one value per feature", to_string(tensor.dims)));
  }
  return count == features
             ? tensor.floats
             : std::vector<float>(static_cast<std::size_t>(features), tensor.floats[0]);
}

}  // namespace

void import_batch_norm(GraphImport& import, const Node& node) {
  const auto& from = import.value(node, 0);
  const auto shape = import.image(from);
  if (node.integer("training_mode", 0) != 0) {
    throw Unsupported("it was exported in training mode; call model.eval() before the export");
  }
  if (node.integer("spatial", 1) == 0) {
    throw Unsupported("it normalises every position by itself (spatial = 0)");
  }
  const auto dims = from.dims;
  const auto source = from.layer;
  const std::vector<std::vector<float>> values{channel_values(import, node, 1, shape.c),
                                               channel_values(import, node, 2, shape.c),
                                               channel_values(import, node, 3, shape.c),
                                               channel_values(import, node, 4, shape.c)};
  auto& layer = import.append(node, LayerKind::batch_norm, {source}, shape);
  layer.epsilon = node.number("epsilon", 1e-5F);
  import.set_parameter(layer, ".scale", values[0]);
  import.set_parameter(layer, ".shift", values[1]);
  import.set_parameter(layer, ".mean", values[2]);
  import.set_parameter(layer, ".variance", values[3]);
  import.finish(node, dims);
}

void import_gemm(GraphImport& import, const Node& node) {
  const auto& from = import.value(node, 0);
  if (node.integer("transA", 0) != 0) {
    throw Unsupported("its first factor is transposed, so that the batch is not in front");
  }
  auto linear = linear_weights(import.constant(node, 1), from, node.integer("transB", 0) != 0);
  scale(linear.weights, node.number("alpha", 1));
  if (const auto* bias = import.optional_constant(node, 2)) {
    linear.bias = spread(*bias, linear.features);
    scale(linear.bias, node.number("beta", 1));
  }
  append_linear(import, node, from, std::move(linear));
}

// A bias that is added next becomes part of it (arithmetic.cpp).
void import_matmul(GraphImport& import, const Node& node) {
  if (import.is_value(node.input(0)) && import.is_value(node.input(1))) {
    return import_product(import, node);
  }
  const auto& from = import.value(node, 0);
  append_linear(import, node, from, linear_weights(import.constant(node, 1), from, false));
}

}  // namespace rightsize::onnx
