#include "kernels/onnx/patterns.h"

#include <cmath>
#include <numbers>
#include <optional>

namespace rightsize::onnx {
namespace {

class Patterns {
 public:
  Patterns(std::vector<Node>& nodes,
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

  void join() {
    for (auto& node : nodes_) {
      if (node.op == "Erf") {
        join_gelu(node);
      } else if (node.op == "Sigmoid") {
        join_silu(node);
      }
    }
  }

 private:
  const Node* maker(const std::string& value) const {
    const auto found = makers_.find(value);
    return found == makers_.end() ? nullptr : found->second;
  }

  // The one node that reads this node's output, if it is of this operator.
  Node* reader(const Node* node, const char* op) const {
    if (node == nullptr) {
      return nullptr;
    }
    const auto found = readers_.find(node->output(0));
    const bool one = found != readers_.end() && found->second.size() == 1;
    return one && found->second[0]->op == op ? found->second[0] : nullptr;
  }

  std::optional<double> scalar(const std::string& value) const {
    const Tensor* tensor = nullptr;
    if (const auto found = initializers_.find(value); found != initializers_.end()) {
      tensor = &found->second;
    } else if (const auto* node = maker(value); node != nullptr && node->op == "Constant") {
      const auto attribute = node->attributes.find("value");
      if (attribute != node->attributes.end() && attribute->second.tensor) {
        tensor = &*attribute->second.tensor;
      }
    }
    if (tensor == nullptr || tensor->floats.size() != 1) {
      return std::nullopt;
    }
    return static_cast<double>(tensor->floats[0]);
  }

  // The other operand where one is this constant; empty where none is.
  std::string operand_beside(const Node* node, double constant) const {
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

  static std::string other(const Node& node, const std::string& operand) {
    return node.inputs[0] == operand ? node.inputs[1] : node.inputs[0];
  }

  static void become(Node& node, const char* op, const std::string& input) {
    node.op = op;
    node.inputs = {input};
    node.attributes.clear();
  }

  // x / sqrt(2) -> Erf -> + 1 -> times x and 0.5 in either order.
  void join_gelu(const Node& erf) {
    const auto* scale = maker(erf.input(0));
    std::string x;
    if (scale != nullptr && scale->op == "Div" && scalar(scale->input(1))) {
      x = operand_beside(scale, std::numbers::sqrt2);
    } else if (scale != nullptr && scale->op == "Mul") {
      x = operand_beside(scale, 1 / std::numbers::sqrt2);
    }
    const auto* plus = reader(&erf, "Add");
    auto* times = reader(plus, "Mul");
    if (x.empty() || operand_beside(plus, 1).empty() || times == nullptr ||
        times->inputs.size() != 2) {
      return;
    }
    const auto factor = other(*times, plus->output(0));
    if (factor == x) {
      if (auto* half = reader(times, "Mul"); !operand_beside(half, 0.5).empty()) {
        become(*half, "Gelu", x);
      }
    } else if (const auto* half = maker(factor);
               half != nullptr && half->op == "Mul" && operand_beside(half, 0.5) == x) {
      become(*times, "Gelu", x);
    }
  }

  void join_silu(const Node& sigmoid) {
    auto* times = reader(&sigmoid, "Mul");
    if (times != nullptr && times->inputs.size() == 2 &&
        other(*times, sigmoid.output(0)) == sigmoid.input(0)) {
      become(*times, "Silu", sigmoid.input(0));
    }
  }

  std::vector<Node>& nodes_;
  const std::map<std::string, Tensor>& initializers_;
  std::map<std::string, const Node*> makers_;
  std::map<std::string, std::vector<Node*>> readers_;
};

}  // namespace

void join_patterns(std::vector<Node>& nodes,
                   const std::vector<bool>& needed,
                   const std::map<std::string, Tensor>& initializers) {
  Patterns(nodes, needed, initializers).join();
}

}  // namespace rightsize::onnx
