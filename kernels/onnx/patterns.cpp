#include "kernels/onnx/patterns.h"

#include <cmath>
#include <numbers>

namespace rightsize::onnx {
namespace {

constexpr double cubic = 0.044715;  // Hendrycks and Gimpel, 2016

// y times x and 0.5, in either order: the last node, and where it starts.
struct HalfProduct {
  Node* last = nullptr;
  std::string x;
};

// (0.5 x) y or 0.5 (x y), where y is this node's output; no node where it is neither.
HalfProduct half_product(const PatternGraph& graph, const Node* y) {
  auto* const times = graph.reader(y, "Mul");
  if (times == nullptr || times->inputs.size() != 2) {
    return {};
  }
  const auto factor = PatternGraph::other(*times, y->output(0));
  const auto* const half = graph.maker(factor, "Mul");
  if (const auto x = graph.operand_beside(half, 0.5); !x.empty()) {
    return {times, x};
  }
  auto* const after = graph.reader(times, "Mul");
  return graph.operand_beside(after, 0.5).empty() ? HalfProduct{} : HalfProduct{after, factor};
}

// x / sqrt(2) -> Erf -> + 1 -> times x and 0.5 in either order.
void join_gelu(const PatternGraph& graph, const Node& erf) {
  const auto* const scale = graph.maker(erf.input(0));
  std::string x;
  if (scale != nullptr && scale->op == "Div" && graph.scalar(scale->input(1))) {
    x = graph.operand_beside(scale, std::numbers::sqrt2);
  } else if (scale != nullptr && scale->op == "Mul") {
    x = graph.operand_beside(scale, 1 / std::numbers::sqrt2);
  }
  const auto* const plus = graph.reader(&erf, "Add");
  if (x.empty() || graph.operand_beside(plus, 1).empty()) {
    return;
  }
  if (const auto product = half_product(graph, plus); product.x == x) {
    PatternGraph::become(*product.last, "Gelu", {x});
  }
}

// x^3, as a power or as products.
bool is_cube(const PatternGraph& graph, const std::string& value, const std::string& x) {
  const auto* const node = graph.maker(value);
  if (node == nullptr || node->inputs.size() != 2) {
    return false;
  }
  if (node->op == "Pow") {
    return node->inputs[0] == x && graph.scalar(node->inputs[1]) == 3.0;
  }
  const auto* const square = graph.maker(PatternGraph::other(*node, x), "Mul");
  const bool times_x = node->inputs[0] == x || node->inputs[1] == x;
  return node->op == "Mul" && times_x && square != nullptr &&
         square->inputs == std::vector<std::string>{x, x};
}

// sqrt(2 / pi) (x + 0.044715 x^3) -> Tanh -> + 1 -> times x and 0.5 in either order.
void join_tanh_gelu(const PatternGraph& graph, const Node& tanh) {
  const auto* const plus = graph.reader(&tanh, "Add");
  if (graph.operand_beside(plus, 1).empty()) {
    return;
  }
  const auto product = half_product(graph, plus);
  const auto* const scale = graph.maker(tanh.input(0), "Mul");
  const auto sum = graph.operand_beside(scale, std::sqrt(2.0 / std::numbers::pi));
  const auto* const add = graph.maker(sum, "Add");
  if (product.last == nullptr || add == nullptr ||
      (add->input(0) != product.x && add->input(1) != product.x)) {
    return;
  }
  const auto* const third = graph.maker(PatternGraph::other(*add, product.x), "Mul");
  const auto cube = graph.operand_beside(third, cubic);
  if (!cube.empty() && is_cube(graph, cube, product.x)) {
    PatternGraph::become(*product.last, "Gelu", {product.x});
    product.last->attributes["approximate"].s = "tanh";
  }
}

// The product of a node's output and x; nullptr where the one that reads it is none.
Node* times(const PatternGraph& graph, const Node* node, const std::string& x) {
  auto* const product = graph.reader(node, "Mul");
  const bool both = product != nullptr && product->inputs.size() == 2 &&
                    PatternGraph::other(*product, node->output(0)) == x;
  return both ? product : nullptr;
}

void join_silu(const PatternGraph& graph, const Node& sigmoid) {
  if (auto* const silu = times(graph, &sigmoid, sigmoid.input(0))) {
    PatternGraph::become(*silu, "Silu", {sigmoid.input(0)});
  }
}

// The node that takes a sixth of what `node` gives.
Node* sixth_of(const PatternGraph& graph, const Node* node) {
  auto* const quotient = graph.reader(node, "Div");
  if (quotient != nullptr && graph.scalar(quotient->input(1)) == 6.0) {
    return quotient;
  }
  auto* const product = graph.reader(node, "Mul");
  return graph.operand_beside(product, 1.0 / 6).empty() ? nullptr : product;
}

// x + 3 clipped to 0 .. 6, and a sixth of that or, either first, of its product with x.
void join_hard_sigmoid(const PatternGraph& graph, const Node& clip) {
  const auto low = clip.has("min") ? clip.number("min", -1) : graph.scalar(clip.input(1));
  const auto high = clip.has("max") ? clip.number("max", -1) : graph.scalar(clip.input(2));
  const auto x = graph.operand_beside(graph.maker(clip.input(0), "Add"), 3);
  if (x.empty() || low != 0.0 || high != 6.0) {
    return;
  }
  if (auto* const sigmoid = sixth_of(graph, &clip)) {
    PatternGraph::become(*sigmoid, "HardSigmoid", {x});
    sigmoid->attributes["alpha"].f = 1.0F / 6;
  } else if (auto* const swish = sixth_of(graph, times(graph, &clip, x))) {
    PatternGraph::become(*swish, "HardSwish", {x});
  }
}

void join_hard_swish(const PatternGraph& graph, const Node& sigmoid) {
  const bool sixth = std::abs(6 * sigmoid.number("alpha", 0.2F) - 1) < 1e-4F;
  auto* const swish = times(graph, &sigmoid, sigmoid.input(0));
  if (sixth && swish != nullptr && sigmoid.number("beta", 0.5F) == 0.5F) {
    PatternGraph::become(*swish, "HardSwish", {sigmoid.input(0)});
  }
}

}  // namespace

void join_patterns(std::vector<Node>& nodes,
                   const std::vector<bool>& needed,
                   const std::map<std::string, Tensor>& initializers) {
  const PatternGraph graph(nodes, needed, initializers);
  for (const auto& node : nodes) {
    if (node.op == "Erf") {
      join_gelu(graph, node);
    } else if (node.op == "Tanh") {
      join_tanh_gelu(graph, node);
    } else if (node.op == "Sigmoid") {
      join_silu(graph, node);
    } else if (node.op == "Clip") {
      join_hard_sigmoid(graph, node);
    } else if (node.op == "HardSigmoid") {
      join_hard_swish(graph, node);
    } else if (node.op == "Sqrt") {
      join_layer_norm(graph, node);
      join_rms_norm(graph, node);
    } else if (node.op == "Concat") {
      join_rotary(graph, node);
    }
  }
}

}  // namespace rightsize::onnx
