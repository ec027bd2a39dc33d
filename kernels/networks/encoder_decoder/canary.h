// Canary: Puvvada et al., "Less is More: Accurate Speech Recognition & Translation without
// Web-Scale Data", Interspeech 2024, as NVIDIA's NeMo shapes it (fast-conformer_aed.yaml): Fast
// Conformer hears, and a decoder writes tokens of four languages; Canary 1B Flash (Zelasko et al.,
// 2025) hears by more blocks and writes by few, and Canary 1B v2 (Sekoyan et al., 2025) writes 25
// languages by words of its own, whose scores have a matrix of their own.
#pragma once

#include <cstdint>

#include "kernels/networks/encoder_decoder/encoder_decoder.h"

namespace rightsize {

struct CanaryShape {
  int encoder_depth;
  int decoder_depth;
  std::int64_t encoder_width = 1024;
  std::int64_t vocabulary = 1152 + 4 * 1024;  // what is asked, and each language's
  bool tied = true;                           // the head's matrix is the table of words
};

inline constexpr CanaryShape canary_1b{24, 24};
inline constexpr CanaryShape canary_1b_flash{32, 4};
inline constexpr CanaryShape canary_180m_flash{17, 4, 512};
inline constexpr CanaryShape canary_1b_v2{32, 8, 1024, 16'384, false};

// What is known of one beside its name.
[[nodiscard]] EncoderDecoderInfo canary_info(const CanaryShape& shape);

}  // namespace rightsize
