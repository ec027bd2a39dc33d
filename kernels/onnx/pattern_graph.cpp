#include "kernels/onnx/pattern_graph.h"

#include <cmath>

namespace rightsize::onnx {

PatternGraph::PatternGraph(std::vector<Node>& nodes,
                           const std::vector<bool>& needed,
                           const std::map<std::string, Tensor>& initializers)
    : nodes_(nodes), initializers_(initializers) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!needed[i]) {
      continue;
    }
    for (const auto& output : nodes[i].outputs) {
      makers_[output] = &nodes[i];
    }
    for (const auto& input : nodes[i].inputs) {
      readers_[input].push_back(&nodes[i]);
    }
  }
}

const Node* PatternGraph::maker(const std::string& value) const {
  const auto found = makers_.find(value);
  return found == makers_.end() ? nullptr : found->second;
}

const Node* PatternGraph::maker(const std::string& value, const char* op) const {
  const auto* node = maker(value);
  return node != nullptr && node->op == op ? node : nullptr;
}

Node* PatternGraph::reader(const Node* node, const char* op) const {
  if (node == nullptr) {
    return nullptr;
  }
  const auto found = readers_.find(node->output(0));
  const bool one = found != readers_.end() && found->second.size() == 1;
  return one && found->second[0]->op == op ? found->second[0] : nullptr;
}

std::vector<Node*> PatternGraph::readers(const std::string& value) const {
  const auto found = readers_.find(value);
  return found == readers_.end() ? std::vector<Node*>{} : found->second;
}

std::optional<double> PatternGraph::scalar(const std::string& value) const {
  const Tensor* tensor = nullptr;
  if (const auto found = initializers_.find(value); found != initializers_.end()) {
    tensor = &found->second;
  } else if (const auto* node = maker(value, "Constant"); node != nullptr) {
    const auto attribute = node->attributes.find("value");
    if (attribute != node->attributes.end() && attribute->second.tensor) {
      tensor = &*attribute->second.tensor;
    }
    if (node->has("value_float")) {
      return static_cast<double>(node->number("value_float", 0));
    }
  }
  if (tensor == nullptr || tensor->floats.size() + tensor->ints.size() != 1) {
    return std::nullopt;
  }
  return number(*tensor, 0);
}

std::string PatternGraph::operand_beside(const Node* node, double constant) const {
  if (node == nullptr || node->inputs.size() != 2) {
    return {};
  }
  constexpr double rounding = 1e-3;  // FP16 files
  for (const std::size_t i : {0, 1}) {
    const auto number = scalar(node->inputs[i]);
    if (number && std::abs(*number - constant) < rounding) {
      return node->inputs[1 - i];
    }
  }
  return {};
}

std::string PatternGraph::other(const Node& node, const std::string& operand) {
  return node.input(0) == operand ? node.input(1) : node.input(0);
}

void PatternGraph::become(Node& node, const char* op, std::vector<std::string> inputs) {
  node.op = op;
  node.inputs = std::move(inputs);
  node.attributes.clear();
}

}  // namespace rightsize::onnx
