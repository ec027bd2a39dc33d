#include "kernels/onnx/patterns.h"

namespace rightsize::onnx {
namespace {

// The mean over the last axis; the axis is an attribute, or a constant since opset 18.
bool is_last_mean(const PatternGraph& graph, const Node* node) {
  if (node == nullptr || node->op != "ReduceMean" || node->integer("keepdims", 1) == 0) {
    return false;
  }
  if (node->inputs.size() > 1) {
    return graph.scalar(node->inputs[1]) == -1.0;
  }
  return node->integers("axes", {}) == std::vector<std::int64_t>{-1};
}

// What is squared here; empty where nothing is.
std::string squared(const PatternGraph& graph, const std::string& value) {
  const auto* const node = graph.maker(value);
  if (node == nullptr || node->inputs.size() != 2) {
    return {};
  }
  const bool power = node->op == "Pow" && graph.scalar(node->inputs[1]) == 2.0;
  const bool product = node->op == "Mul" && node->inputs[0] == node->inputs[1];
  return power || product ? node->inputs[0] : std::string();
}

// x of x - mean(x); empty where it is not that.
std::string centred(const PatternGraph& graph, const std::string& value) {
  const auto* const minus = graph.maker(value, "Sub");
  if (minus == nullptr) {
    return {};
  }
  const auto* const mean = graph.maker(minus->input(1));
  const bool own = is_last_mean(graph, mean) && mean->input(0) == minus->input(0);
  return own ? minus->input(0) : std::string();
}

// The one reader that is of this operator, where it has a constant beside it or nobody knows
// better.
Node* affine(const PatternGraph& graph, const Node* node, const char* op) {
  auto* const next = graph.reader(node, op);
  if (next == nullptr || next->inputs.size() != 2) {
    return nullptr;
  }
  const auto* const beside = graph.maker(PatternGraph::other(*next, node->output(0)));
  return beside == nullptr || beside->op == "Constant" || beside->op == "Identity" ? next : nullptr;
}

// The mean of squares plus epsilon, of which a root is taken here.
struct MeanSquare {
  std::string x;
  double epsilon = 0;
};

std::optional<MeanSquare> mean_square(const PatternGraph& graph, const Node& square_root) {
  const auto* const plus = graph.maker(square_root.input(0), "Add");
  for (const std::size_t i : {0, 1}) {
    const auto epsilon = plus == nullptr ? std::nullopt : graph.scalar(plus->input(i));
    const auto* const mean = epsilon ? graph.maker(plus->input(1 - i)) : nullptr;
    if (is_last_mean(graph, mean)) {
      return MeanSquare{squared(graph, mean->input(0)), *epsilon};
    }
  }
  return std::nullopt;
}

// x over the root: Div, or Mul by what is 1 over it.
Node* over_root(const PatternGraph& graph, const Node& square_root, const std::string& x) {
  if (auto* const over = graph.reader(&square_root, "Div");
      over != nullptr && over->input(0) == x && over->input(1) == square_root.output(0)) {
    return over;
  }
  const auto* inverse = graph.reader(&square_root, "Reciprocal");
  if (inverse == nullptr) {
    inverse = graph.reader(&square_root, "Div");
    if (inverse == nullptr || graph.scalar(inverse->input(0)) != 1.0) {
      return nullptr;
    }
  }
  auto* const times = graph.reader(inverse, "Mul");
  return times != nullptr && PatternGraph::other(*times, inverse->output(0)) == x ? times : nullptr;
}

}  // namespace

// x -> x - mean -> squared -> mean -> + epsilon -> Sqrt; x - mean over that -> scale -> shift.
void join_layer_norm(const PatternGraph& graph, const Node& square_root) {
  const auto* const plus = graph.maker(square_root.input(0), "Add");
  if (plus == nullptr) {
    return;
  }
  for (const std::size_t i : {0, 1}) {
    const auto epsilon = graph.scalar(plus->input(i));
    const auto* const variance = graph.maker(plus->input(1 - i));
    if (!epsilon || !is_last_mean(graph, variance)) {
      continue;
    }
    const auto difference = squared(graph, variance->input(0));
    const auto x = difference.empty() ? std::string() : centred(graph, difference);
    const auto* const over = graph.reader(&square_root, "Div");
    if (x.empty() || over == nullptr || centred(graph, over->input(0)) != x) {
      return;
    }
    const auto* const scaled = affine(graph, over, "Mul");
    auto* const last = scaled != nullptr ? affine(graph, scaled, "Add") : nullptr;
    if (last != nullptr) {
      const auto scale = PatternGraph::other(*scaled, over->output(0));
      const auto shift = PatternGraph::other(*last, scaled->output(0));
      PatternGraph::become(*last, "LayerNormalization", {x, scale, shift});
      last->attributes["epsilon"].f = static_cast<float>(*epsilon);
      last->attributes["axis"].i = -1;
    }
    return;
  }
}

// Casts in front of the scale are of models in half precision: the run has its own.
void join_rms_norm(const PatternGraph& graph, const Node& square_root) {
  const auto mean = mean_square(graph, square_root);
  if (!mean || mean->x.empty() || !centred(graph, mean->x).empty()) {
    return;  // no norm, or a layer norm's
  }
  auto* const over = over_root(graph, square_root, mean->x);
  if (over == nullptr) {
    return;
  }
  const auto* end = over;
  while (const auto* const cast = graph.reader(end, "Cast")) {
    end = cast;
  }
  auto* const scaled = affine(graph, end, "Mul");
  std::vector<std::string> inputs{mean->x};
  if (scaled != nullptr) {
    inputs.push_back(PatternGraph::other(*scaled, end->output(0)));
  }
  auto& last = scaled != nullptr ? *scaled : *over;
  PatternGraph::become(last, "RMSNormalization", std::move(inputs));
  last.attributes["epsilon"].f = static_cast<float>(mean->epsilon);
  last.attributes["axis"].i = -1;
}

}  // namespace rightsize::onnx
