#include "kernels/onnx/operator_families.h"
#include "kernels/onnx/shape_inference.h"

namespace rightsize::onnx {
namespace {

using Inputs = std::vector<MaybeDims>;

// Products summed into one output element; nullopt for an operator that sums none.
std::optional<double> products_per_output(const Node& node, const Inputs& inputs) {
  const auto as_double = [](std::int64_t count) { return static_cast<double>(count); };
  const bool convolves = node.op == "Conv" || node.op == "ConvTranspose";
  if (convolves && inputs.size() > 1 && inputs[1] && !inputs[1]->empty() && (*inputs[1])[0] > 0) {
    const auto& weights = *inputs[1];
    return as_double(element_count(weights)) / as_double(weights[0]);
  }
  if (const int gates = recurrent_gates(node.op); gates > 0 && inputs.size() > 2 && inputs[1] &&
                                                  inputs[2] && inputs[1]->size() == 3 &&
                                                  inputs[2]->size() == 3) {
    return as_double(gates * ((*inputs[1])[2] + (*inputs[2])[2]));
  }
  if ((node.op == "MatMul" || node.op == "Gemm") && !inputs[0]->empty()) {
    return as_double(node.integer("transA", 0) != 0 ? inputs[0]->front() : inputs[0]->back());
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> estimated_flops(const Node& node,
                                      const std::vector<MaybeDims>& inputs,
                                      const std::vector<MaybeDims>& outputs) {
  if (moves_only(node.op)) {
    return 0;
  }
  if (inputs.empty() || !inputs[0] || outputs.empty() || !outputs[0]) {
    return std::nullopt;
  }
  const auto out = static_cast<double>(element_count(*outputs[0]));
  const auto in = static_cast<double>(element_count(*inputs[0]));
  constexpr double softmax_flops = 5;  // as in layer_work.cpp
  constexpr double norm_flops = 8;
  if (const auto products = products_per_output(node, inputs)) {
    // A transposed convolution spreads each input over its outputs.
    return 2 * *products * (node.op == "ConvTranspose" ? in : out);
  }
  if (node.op == "Softmax" || node.op == "LogSoftmax") {
    return softmax_flops * out;
  }
  if (node.op.find("Normalization") != std::string::npos) {
    return norm_flops * out;
  }
  if (reduces(node.op)) {
    return in;
  }
  if (keeps_shape(node.op) || broadcasts(node.op)) {
    return out;
  }
  return std::nullopt;
}

}  // namespace rightsize::onnx
