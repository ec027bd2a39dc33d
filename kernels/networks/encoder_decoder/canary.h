// Canary: Puvvada et al., "Less is More: Accurate Speech Recognition & Translation without
// Web-Scale Data", Interspeech 2024, as NVIDIA's NeMo shapes it (fast-conformer_aed.yaml): Fast
// Conformer hears, and a decoder writes tokens of four languages; Canary 1B Flash (Zelasko et al.,
// 2025) hears by more blocks and writes by few.
#pragma once

#include "kernels/networks/encoder_decoder/encoder_decoder.h"

namespace rightsize {

struct CanaryShape {
  int encoder_depth;
  int decoder_depth;
};

inline constexpr CanaryShape canary_1b{24, 24};
inline constexpr CanaryShape canary_1b_flash{32, 4};

// What is known of one beside its name.
[[nodiscard]] EncoderDecoderInfo canary_info(const CanaryShape& shape);

}  // namespace rightsize
