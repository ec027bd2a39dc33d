#include "kernels/onnx/patterns.h"

namespace rightsize::onnx {

// Which operand is the table is known when constants are folded: "RotateHalves" has the operands of
// the first product, the second one's table, and both halves.
void join_rotary(const PatternGraph& graph, const Node& concat) {
  const auto* const minus = graph.maker(concat.input(0), "Neg");
  const auto* const by_sine = graph.reader(&concat, "Mul");
  auto* const sum = graph.reader(by_sine, "Add");
  if (concat.inputs.size() != 2 || minus == nullptr || sum == nullptr) {
    return;
  }
  const auto* const by_cosine = graph.maker(PatternGraph::other(*sum, by_sine->output(0)), "Mul");
  if (by_cosine == nullptr || by_cosine->inputs.size() != 2) {
    return;
  }
  PatternGraph::become(*sum,
                       "RotateHalves",
                       {by_cosine->input(0),
                        by_cosine->input(1),
                        PatternGraph::other(*by_sine, concat.output(0)),
                        minus->input(0),
                        concat.input(1)});
}

}  // namespace rightsize::onnx
