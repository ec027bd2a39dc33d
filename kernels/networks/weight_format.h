// In which formats matrices lie in memory that are widened before their products, as the programs
// call them that do so (quantized_weights.h): what stands behind `weights=`.
#pragma once

#include <string_view>

namespace rightsize {

inline constexpr std::string_view weight_grammar = "fp8, int8 or nf4";

// Bits of a number; 0: `text` is no such format. Of other 4 bits than bitsandbytes' NF4 nothing can
// be told: published times of the same picture are 6 to 109 s (calibration/pictures_quantized.csv).
[[nodiscard]] int bits_of_weight_format(std::string_view text);

}  // namespace rightsize
