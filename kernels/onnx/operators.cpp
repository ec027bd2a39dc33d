#include "kernels/onnx/operators.h"

#include <algorithm>
#include <array>

#include "kernels/onnx/attention.h"

namespace rightsize::onnx {
namespace {

struct Row {
  std::string_view op;
  Operator import;
};

constexpr std::array operators{
    Row{"Add", import_add},
    Row{"AveragePool", import_average_pool},
    Row{"BatchNormalization", import_batch_norm},
    Row{"Cast", import_cast},
    Row{"Clip", import_clip},
    Row{"Concat", import_concat},
    Row{"Conv", import_convolution},
    Row{"Div", import_divide},
    Row{"Dropout", import_dropout},
    Row{"Elu", import_elu},
    Row{"Expand", import_expand},
    Row{"Flatten", import_flatten},
    Row{"Gather", import_gather},
    Row{"Gelu", import_gelu},
    Row{"Gemm", import_gemm},
    Row{"GlobalAveragePool", import_global_average_pool},
    Row{"GlobalMaxPool", import_global_max_pool},
    Row{"HardSigmoid", import_hard_sigmoid},
    Row{"HardSwish", import_hard_swish},
    Row{"Identity", import_identity},
    Row{"IsNaN", import_is_nan},
    Row{"LayerNormalization", import_layer_norm},
    Row{"LeakyRelu", import_leaky_relu},
    Row{"LogSoftmax", import_softmax},
    Row{"LRN", import_local_response_norm},
    Row{"LSTM", import_lstm},
    Row{"MatMul", import_matmul},
    Row{"MaxPool", import_max_pool},
    Row{"Mul", import_multiply},
    Row{"Pad", import_pad},
    Row{"ReduceMean", import_reduce_mean},
    Row{"Relu", import_relu},
    Row{"Reshape", import_reshape},
    Row{"RMSNormalization", import_rms_norm},
    Row{"RotateHalves", import_rotate_halves},
    Row{"Sigmoid", import_sigmoid},
    Row{"Silu", import_silu},
    Row{"SimplifiedLayerNormalization", import_rms_norm},  // ONNX Runtime's
    Row{"Slice", import_slice},
    Row{"Softmax", import_softmax},
    Row{"Split", import_split},
    Row{"Squeeze", import_squeeze},
    Row{"Sub", import_subtract},
    Row{"Sum", import_sum},
    Row{"Tanh", import_tanh},
    Row{"Transpose", import_transpose},
    Row{"Unsqueeze", import_unsqueeze},
    Row{"Where", import_where},
};

}  // namespace

Operator find_operator(std::string_view op) {
  const auto found = std::find_if(
      operators.begin(), operators.end(), [&](const Row& row) { return row.op == op; });
  return found == operators.end() ? nullptr : found->import;
}

}  // namespace rightsize::onnx
