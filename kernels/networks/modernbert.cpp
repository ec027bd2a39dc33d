// ModernBERT: Warner et al., "Smarter, Better, Faster, Longer: A Modern Bidirectional Encoder",
// 2024, as the config.json of answerdotai/ModernBERT-base and -large shape it: 149 655 232 and 395
// 881 664 parameters, as Hugging Face's ModernBertForMaskedLM. Two blocks of three see 64 positions
// before and behind. No dropout.
#include "kernels/networks/encoder.h"
#include "kernels/networks/families.h"

namespace rightsize {
namespace {

EncoderConfig modernbert(const char* name,
                         const char* title,
                         int layers,
                         std::int64_t width,
                         std::int64_t feed_forward) {
  return {.name = name,
          .title = title,
          .layers = layers,
          .width = width,
          .heads = width / 64,
          .feed_forward = feed_forward,
          .vocabulary = 50'368,
          .context = 8192,
          .positions = 0,
          .norm_epsilon = 1e-5,
          .dropped = 0,
          .gated = true,
          .biases = false,
          .norms_first = true,
          .shifted = false,
          .rotary_base = 160'000,
          .windowed_rotary_base = 10'000,
          .window = 129,
          .whole_every = 3,
          .transforms = true};
}

}  // namespace

EncoderConfig modernbert_base() {
  return modernbert("modernbert-base", "ModernBERT-base", 22, 768, 1152);
}

EncoderConfig modernbert_large() {
  return modernbert("modernbert-large", "ModernBERT-large", 28, 1024, 2624);
}

Network make_modernbert_base(int sequence) {
  return make_encoder(modernbert_base(), sequence);
}
Network make_modernbert_large(int sequence) {
  return make_encoder(modernbert_large(), sequence);
}

}  // namespace rightsize
