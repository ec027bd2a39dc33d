// The values of a tensor in an ONNX file: raw bytes, typed fields, or a file beside the model.
#pragma once

#include <string>

#include "kernels/onnx/model.h"

namespace rightsize::onnx {

namespace wire {
class TensorProto;
}

// TensorProto.DataType of the public onnx.proto3, the types we read.
enum class ElementType {
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  int32 = 6,
  int64 = 7,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  bfloat16 = 16,
};

[[nodiscard]] bool is_integral(int data_type);

// `folder` is the model's: external data lies there or below. Throws OnnxError, which names `what`
// (the file and the tensor), where sizes do not agree, a type is not ours or a file is missing.
[[nodiscard]] Tensor read_tensor(const wire::TensorProto& tensor,
                                 const std::string& folder,
                                 const std::string& what);

}  // namespace rightsize::onnx
