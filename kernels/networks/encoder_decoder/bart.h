// BART: Lewis et al., "BART: Denoising Sequence-to-Sequence Pre-training", ACL 2020, and
// translators of its kind: Marian's opus-mt (Tiedemann and Thottingal, 2020), M2M-100 (Fan et al.,
// 2020) and NLLB-200 (2022). Shapes by the config.json published beside them; the vocabulary of
// what is read is that of what is written, and they share the table.
#pragma once

#include "kernels/networks/builder.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"

namespace rightsize {

struct BartShape {
  std::int64_t width;
  std::int64_t heads;
  std::int64_t hidden;  // between the matrices of a feed-forward part
  int encoder_depth;
  int decoder_depth;
  std::int64_t vocabulary;
  std::int64_t positions;  // rows of a table; sines where it is not learned, and as much work
  Activation activation;
  bool rectifies;       // max(x, 0) in its place
  bool norms_first;     // inside the residual branches, and one behind all blocks
  bool embedding_norm;  // before the first block
  bool sines = false;   // places are those of the paper, and nothing is learned
};

inline constexpr BartShape bart_base{
    768, 12, 3072, 6, 6, 50265, 1026, Activation::gelu, false, false, true};
inline constexpr BartShape bart_large{
    1024, 16, 4096, 12, 12, 50265, 1026, Activation::gelu, false, false, true};
inline constexpr BartShape opus_mt_en_de{
    512, 8, 2048, 6, 6, 58101, 512, Activation::silu, false, false, false, true};
inline constexpr BartShape m2m100_418m{
    1024, 16, 4096, 12, 12, 128112, 1024, Activation::gelu, true, true, false, true};
inline constexpr BartShape nllb_600m{
    1024, 16, 4096, 12, 12, 256206, 1024, Activation::gelu, true, true, false, true};

// What is known of one beside its name: of texts of `most` tokens, read and written.
[[nodiscard]] EncoderDecoderInfo bart_info(const BartShape& shape, int most);
[[nodiscard]] Network make_bart(const BartShape& shape,
                                const EncoderDecoderInfo& info,
                                const TextForm& form,
                                int sequence);

}  // namespace rightsize
