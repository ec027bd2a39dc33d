#include "kernels/onnx/operator_families.h"

#include <algorithm>
#include <array>

namespace rightsize::onnx {
namespace {

constexpr std::array<std::string_view, 45> same_shape{"Abs",
                                                      "BatchNormalization",
                                                      "Cast",
                                                      "Ceil",
                                                      "Celu",
                                                      "Clip",
                                                      "Cos",
                                                      "CumSum",
                                                      "Dropout",
                                                      "Elu",
                                                      "Erf",
                                                      "Exp",
                                                      "Floor",
                                                      "Gelu",
                                                      "GroupNormalization",
                                                      "HardSigmoid",
                                                      "HardSwish",
                                                      "Hardmax",
                                                      "Identity",
                                                      "InstanceNormalization",
                                                      "LRN",
                                                      "LayerNormalization",
                                                      "LeakyRelu",
                                                      "Log",
                                                      "LogSoftmax",
                                                      "LpNormalization",
                                                      "Mish",
                                                      "Neg",
                                                      "Not",
                                                      "PRelu",
                                                      "Reciprocal",
                                                      "Relu",
                                                      "Round",
                                                      "Selu",
                                                      "Sigmoid",
                                                      "Sign",
                                                      "Silu",
                                                      "Sin",
                                                      "Softmax",
                                                      "Softplus",
                                                      "Softsign",
                                                      "Sqrt",
                                                      "Tanh",
                                                      "ThresholdedRelu",
                                                      "Trilu"};
constexpr std::array<std::string_view, 14> element_by_element{"Add",
                                                              "And",
                                                              "Div",
                                                              "Equal",
                                                              "Greater",
                                                              "Less",
                                                              "Max",
                                                              "Min",
                                                              "Mul",
                                                              "Or",
                                                              "Pow",
                                                              "Sub",
                                                              "Sum",
                                                              "Where"};
constexpr std::array<std::string_view, 7> reductions{
    "ReduceL1", "ReduceL2", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum"};
constexpr std::array<std::string_view, 15> moves{"Concat",
                                                 "DepthToSpace",
                                                 "Expand",
                                                 "Flatten",
                                                 "Gather",
                                                 "Identity",
                                                 "Pad",
                                                 "Reshape",
                                                 "Slice",
                                                 "SpaceToDepth",
                                                 "Split",
                                                 "Squeeze",
                                                 "Tile",
                                                 "Transpose",
                                                 "Unsqueeze"};

template <typename Names>
bool contains(const Names& names, std::string_view op) {
  return std::find(names.begin(), names.end(), op) != names.end();
}

}  // namespace

bool keeps_shape(std::string_view op) {
  return contains(same_shape, op);
}

bool broadcasts(std::string_view op) {
  return contains(element_by_element, op);
}

bool reduces(std::string_view op) {
  return contains(reductions, op);
}

int recurrent_gates(std::string_view op) {
  return op == "LSTM" ? 4 : op == "GRU" ? 3 : op == "RNN" ? 1 : 0;
}

bool moves_only(std::string_view op) {
  return contains(moves, op);
}

}  // namespace rightsize::onnx
