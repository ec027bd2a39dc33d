// T5: Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text
// Transformer", JMLR 2020; of version 1.1 with gated feed-forward parts and a head of its own, of
// which Flan-T5 (Chung et al., 2022) was trained on. Shapes by the config.json published beside
// them. What the distance of two positions adds to their scores is left out, as in text_encoder.h.
#pragma once

#include "kernels/networks/builder.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"

namespace rightsize {

struct T5Shape {
  std::int64_t width;
  std::int64_t heads;
  std::int64_t head_dim;
  std::int64_t hidden;  // between the matrices of a feed-forward part
  int encoder_depth;
  int decoder_depth;
  bool gated;  // version 1.1
  // The head is the table of what is read; version 1.1 has one of its own.
  bool tied;
  std::int64_t vocabulary;
};

inline constexpr std::int64_t t5_vocabulary = 32128;

inline constexpr T5Shape t5_small{512, 8, 64, 2048, 6, 6, false, true, t5_vocabulary};
inline constexpr T5Shape t5_base{768, 12, 64, 3072, 12, 12, false, true, t5_vocabulary};
inline constexpr T5Shape t5_large{1024, 16, 64, 4096, 24, 24, false, true, t5_vocabulary};
inline constexpr T5Shape t5_3b{1024, 32, 128, 16384, 24, 24, false, true, t5_vocabulary};
inline constexpr T5Shape t5_11b{1024, 128, 128, 65536, 24, 24, false, true, t5_vocabulary};
inline constexpr T5Shape flan_t5_small{512, 6, 64, 1024, 8, 8, true, false, t5_vocabulary};
inline constexpr T5Shape flan_t5_base{768, 12, 64, 2048, 12, 12, true, false, t5_vocabulary};
inline constexpr T5Shape flan_t5_large{1024, 16, 64, 2816, 24, 24, true, false, t5_vocabulary};
inline constexpr T5Shape flan_t5_xl{2048, 32, 64, 5120, 24, 24, true, false, t5_vocabulary};
inline constexpr T5Shape flan_t5_xxl{4096, 64, 64, 10240, 24, 24, true, false, t5_vocabulary};

// Of embedded tokens, with names "<name>_...": the features of each position.
[[nodiscard]] int t5_encoder(NetworkBuilder& net,
                             const std::string& name,
                             int features,
                             const T5Shape& shape);

// What is known of one beside its name.
[[nodiscard]] EncoderDecoderInfo t5_info(const T5Shape& shape);
[[nodiscard]] Network make_t5(const T5Shape& shape,
                              const EncoderDecoderInfo& info,
                              const TextForm& form,
                              int sequence);

}  // namespace rightsize
