// Groups of ONNX operators that share a shape rule or a price.
#pragma once

#include <string_view>

namespace rightsize::onnx {

[[nodiscard]] bool keeps_shape(std::string_view op);  // output as the first input
[[nodiscard]] bool broadcasts(std::string_view op);   // element by element, of two or more
[[nodiscard]] bool reduces(std::string_view op);      // over axes
// Of an LSTM, a GRU, a plain recurrent layer: the products of each output; 0: it is none of them.
[[nodiscard]] int recurrent_gates(std::string_view op);
[[nodiscard]] bool moves_only(std::string_view op);  // no arithmetic

}  // namespace rightsize::onnx
