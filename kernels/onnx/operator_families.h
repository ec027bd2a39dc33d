// Groups of ONNX operators that share a shape rule or a price.
#pragma once

#include <string_view>

namespace rightsize::onnx {

[[nodiscard]] bool keeps_shape(std::string_view op);  // output as the first input
[[nodiscard]] bool broadcasts(std::string_view op);   // element by element, of two or more
[[nodiscard]] bool reduces(std::string_view op);      // over axes
[[nodiscard]] bool moves_only(std::string_view op);   // no arithmetic

}  // namespace rightsize::onnx
