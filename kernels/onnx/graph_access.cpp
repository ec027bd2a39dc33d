// The part of GraphImport that operators use.
#include <algorithm>
#include <cctype>
#include <iterator>

#include <fmt/format.h>

#include "kernels/onnx/graph_import.h"

namespace rightsize::onnx {

FeatureShape feature_shape(const Dims& dims, std::int64_t batch) {
  if (dims.size() < 2 || dims.size() > 4 || dims[0] != batch) {
    return {element_count(dims) / batch, 1, 1};
  }
  return {dims[1], dims.size() > 2 ? dims[2] : 1, dims.size() > 3 ? dims[3] : 1};
}

const Value& GraphImport::stackable_value(const Node& node, std::size_t input) const {
  const auto found = values_.find(node.input(input));
  if (found == values_.end()) {
    throw Unsupported(fmt::format("its input {} is a constant or left out", input));
  }
  return found->second;
}

bool GraphImport::is_stacked(const Node& node, std::size_t input) const {
  return stackable_value(node, input).stacked != nullptr;
}

const Value& GraphImport::any_value(const Node& node, std::size_t input) const {
  const auto& found = stackable_value(node, input);
  if (found.stacked) {
    throw Unsupported(fmt::format(
        "its input {} holds the states of several recurrent layers, {}; one can be picked",
        input,
        to_string(found.dims)));
  }
  return found;
}

const Value& GraphImport::value(const Node& node, std::size_t input) const {
  const auto& found = any_value(node, input);
  if (found.scores) {
    throw Unsupported(
        fmt::format("its input {} holds attention scores, {}; they can be scaled, masked, put "
                    "through a softmax and multiplied by values",
                    input,
                    to_string(found.dims)));
  }
  if (found.rotary_base != 0 || found.group != 1) {
    throw Unsupported(fmt::format(
        "its input {} holds queries, keys or values, {}, {}; attention over them can "
        "be run",
        input,
        to_string(found.dims),
        found.group != 1 ? "repeated for heads that share them" : "turned by rotary positions"));
  }
  return found;
}

bool GraphImport::is_value(const std::string& name) const {
  return values_.count(name) > 0;
}

bool GraphImport::is_constant(const std::string& name) const {
  return constants_.count(name) > 0;
}

const Tensor* GraphImport::optional_constant(const Node& node, std::size_t input) const {
  if (node.input(input).empty()) {
    return nullptr;
  }
  const auto found = constants_.find(node.input(input));
  if (found == constants_.end()) {
    throw Unsupported(fmt::format("its input {} is computed, not a constant", input));
  }
  return &found->second;
}

const Tensor& GraphImport::constant(const Node& node, std::size_t input) const {
  const auto* found = optional_constant(node, input);
  if (found == nullptr) {
    throw Unsupported(fmt::format("its input {} is left out", input));
  }
  return *found;
}

std::optional<Dims> GraphImport::integers(const Node& node,
                                          const std::string& attribute,
                                          std::size_t input) const {
  if (node.has(attribute)) {
    return node.integers(attribute, {});
  }
  const auto* tensor = optional_constant(node, input);
  if (tensor == nullptr) {
    return std::nullopt;
  }
  Dims values;
  std::transform(
      tensor->ints.begin(), tensor->ints.end(), std::back_inserter(values), [](auto value) {
        return std::clamp(value, -largest_size, largest_size);  // as the reader does to attributes
      });
  return values;
}

FeatureShape GraphImport::image(const Value& value) const {
  const auto& dims = value.dims;
  if (dims.size() < 2 || dims.size() > 4 || dims[0] != batch_) {
    throw Unsupported(
        fmt::format("a tensor of shape {} where batch, channels and up to two more "
                    "dimensions are needed",
                    to_string(dims)));
  }
  if (value.padding != Padding{}) {
    throw Unsupported("padding in front of it is no part of it; only windows take padding in");
  }
  require_no_ids(value);
  const auto shape = feature_shape(dims, batch_);
  const auto& made = network_.layers.at(static_cast<std::size_t>(value.layer)).out;
  if (is_placeholder(value.layer)) {
    return shape;
  }
  if (!value.strides.empty() || value.factor != 1 ||
      (is_sequence(value.layer) && made.positions() > 1)) {
    throw Unsupported(
        fmt::format("a sequence or a part of one, {}, where images are read", to_string(dims)));
  }
  if (shape != made) {
    throw Unsupported(
        fmt::format("an input of {}x{}x{} reshaped to {}; only a fully connected "
                    "layer reads that",
                    made.c,
                    made.h,
                    made.w,
                    to_string(dims)));
  }
  return shape;
}

Layer& GraphImport::layer(int index) {
  return network_.layers.at(static_cast<std::size_t>(index));
}

// Names come back in error messages and go through the GPU plugin's fixed fields, so they are cut
// to their end, which is the telling part of "/model/layer1/layer1.0/conv1/Conv".
std::string GraphImport::unique_name(const Node& node) {
  constexpr std::size_t longest = 40;
  std::string name = node.name;
  if (name.empty()) {
    name = node.op + "_" + node.output(0);
  }
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isprint(c) == 0; }, '_');
  while (!name.empty() && name.front() == '/') {
    name.erase(0, 1);
  }
  if (name.size() > longest) {
    name.erase(0, name.size() - longest);
  }
  auto unique = name;
  for (int i = 2; !names_.insert(unique).second; ++i) {
    unique = fmt::format("{}_{}", name, i);
  }
  return unique;
}

Layer& GraphImport::append(const Node& node,
                           LayerKind kind,
                           std::vector<int> inputs,
                           FeatureShape out) {
  if (out.c < 1 || out.h < 1 || out.w < 1) {
    throw Unsupported("its output is empty");
  }
  Layer layer;
  layer.name = unique_name(node);
  layer.kind = kind;
  layer.inputs = std::move(inputs);
  layer.out = out;
  const auto index = static_cast<int>(network_.layers.size());
  const bool follows = std::any_of(
      layer.inputs.begin(), layer.inputs.end(), [this](int input) { return is_sequence(input); });
  if (kind == LayerKind::to_sequence || (follows && kind != LayerKind::to_image)) {
    sequences_.insert(index);
  }
  return network_.layers.emplace_back(std::move(layer));
}

void GraphImport::finish(const Node& node, Dims dims) {
  define(node, {std::move(dims), static_cast<int>(network_.layers.size()) - 1});
}

void GraphImport::define_output(const Node& node, std::size_t output, Value value) {
  if (!is_sane(value.dims)) {
    throw Unsupported(fmt::format("its output would be {}", to_string(value.dims)));
  }
  value.sole = value.sole && sole_reader(node.output(output));
  values_[node.output(output)] = std::move(value);
}

void GraphImport::define_constant(const Node& node, Tensor tensor) {
  constants_[node.output(0)] = std::move(tensor);
}

void GraphImport::transpose_input(const Node& node, const Dims& dims) {
  network_.layers[0].out = {dims[1], dims[2], dims[3]};
  note("the file's input is NHWC, transposed at once; the network takes NCHW images instead");
  define(node, {dims, 0});
}

// A sequence or channels and a height: who reads three dimensions knows.
int GraphImport::append_placeholder(const Dims& dims) {
  const auto index = static_cast<int>(network_.layers.size());
  Layer placeholder;
  placeholder.out = feature_shape(dims, batch_);
  if (dims.size() == 3 && dims[0] == batch_) {
    placeholder.out = {dims[2], dims[1], 1};
    sequences_.insert(index);
  }
  network_.layers.push_back(std::move(placeholder));
  return index;
}

bool GraphImport::is_placeholder(int layer) const {
  return layer > 0 && network_.layers.at(static_cast<std::size_t>(layer)).inputs.empty();
}

void GraphImport::set_parameter(const Layer& layer,
                                const std::string& suffix,
                                std::vector<float> values) {
  const auto name = layer.name + suffix;
  if (parameters_.count(name) == 0) {
    parameter_order_.push_back(name);
  }
  parameters_[name] = std::move(values);
}

std::vector<float>& GraphImport::parameter(const Layer& layer, const std::string& suffix) {
  return parameters_.at(layer.name + suffix);
}

}  // namespace rightsize::onnx
