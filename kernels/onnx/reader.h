// From an ONNX file to a Model. Reads the wire format with our own message definitions
// (onnx.proto), so any version of the format parses; what is in it is judged later.
#pragma once

#include <string>

#include "kernels/onnx/model.h"

namespace rightsize::onnx {

// Throws OnnxError: the file is missing, not ONNX, cut short, of an opset before `oldest_opset`, or
// one of its tensors is broken.
[[nodiscard]] Model read_model(const std::string& path);

// Opset 6 settled BatchNormalization, Gemm and the binary operators in the form we read.
inline constexpr std::int64_t oldest_opset = 6;
inline constexpr std::int64_t newest_opset = 21;  // newer ones are read by the same rules, and said

}  // namespace rightsize::onnx
