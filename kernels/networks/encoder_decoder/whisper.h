// Whisper: Radford et al., "Robust Speech Recognition via Large-Scale Weak Supervision", 2022,
// section 2.2 and table 1; large-v3 and turbo, and those distilled of them (Gandhi et al.,
// "Distil-Whisper", 2023), by the config.json published beside them. Sound comes as the logarithms
// of its spectrum, 3000 frames of 10 ms, however short what is said is.
#pragma once

#include "kernels/networks/encoder_decoder/encoder_decoder.h"

namespace rightsize {

struct WhisperShape {
  std::int64_t width;
  std::int64_t heads;
  int encoder_depth;
  int decoder_depth;
  std::int64_t bins;  // of a frame's spectrum, by the mel scale
  std::int64_t vocabulary;
};

inline constexpr int whisper_most_tokens = 448;

constexpr std::int64_t whisper_bins = 80;
constexpr std::int64_t whisper_vocabulary = 51865;
constexpr std::int64_t whisper_english = 51864;  // of those that know no other language
// Of large-v3, and of what was made of it.
constexpr std::int64_t whisper_more_bins = 128;
constexpr std::int64_t whisper_more_words = 51866;

inline constexpr WhisperShape whisper_tiny{384, 6, 4, 4, whisper_bins, whisper_vocabulary};
inline constexpr WhisperShape whisper_base{512, 8, 6, 6, whisper_bins, whisper_vocabulary};
inline constexpr WhisperShape whisper_small{768, 12, 12, 12, whisper_bins, whisper_vocabulary};
inline constexpr WhisperShape whisper_medium{1024, 16, 24, 24, whisper_bins, whisper_vocabulary};
inline constexpr WhisperShape whisper_large_v2{1280, 20, 32, 32, whisper_bins, whisper_vocabulary};
inline constexpr WhisperShape whisper_large_v3{
    1280, 20, 32, 32, whisper_more_bins, whisper_more_words};
inline constexpr WhisperShape whisper_turbo{1280, 20, 32, 4, whisper_more_bins, whisper_more_words};
inline constexpr WhisperShape distil_large_v2{1280, 20, 32, 2, whisper_bins, whisper_vocabulary};
inline constexpr WhisperShape distil_large_v3{
    1280, 20, 32, 2, whisper_more_bins, whisper_more_words};
inline constexpr WhisperShape distil_medium{1024, 16, 24, 2, whisper_bins, whisper_english};
inline constexpr WhisperShape distil_small{768, 12, 12, 4, whisper_bins, whisper_english};

// What is known of one beside its name.
[[nodiscard]] EncoderDecoderInfo whisper_info(const WhisperShape& shape);
[[nodiscard]] Network make_whisper(const WhisperShape& shape,
                                   const EncoderDecoderInfo& info,
                                   const TextForm& form);

}  // namespace rightsize
