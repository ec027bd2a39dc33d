// DeBERTa: He et al., "DeBERTa: Decoding-enhanced BERT with Disentangled Attention", ICLR 2021, and
// "DeBERTaV3", ICLR 2023, as the config.json of microsoft/deberta-v3-... and -v2-... shape them.
// Parameters as Hugging Face's DebertaV2ForSequenceClassification counts them with two classes: of
// v3-base 184 423 682. They are tuned to tell texts apart, so the scores of all words that they
// were pretrained beside are not among them.
#include "kernels/networks/encoder.h"
#include "kernels/networks/families.h"

namespace rightsize {
namespace {

// Distances count in buckets, 256 to either side.
EncoderConfig deberta(const char* name, const char* title, int layers, std::int64_t width) {
  return {.name = name,
          .title = title,
          .layers = layers,
          .width = width,
          .heads = width / 64,
          .feed_forward = 4 * width,
          .vocabulary = 128'100,
          .positions = 0,
          .distances = 512,
          .norm_epsilon = 1e-7,
          .head = EncoderHead::pooled_scores,
          .pooled = Activation::gelu};
}

// The larger ones of version 2 see neighbours by a convolution of three.
EncoderConfig convolving(const char* name, const char* title, int layers) {
  auto config = deberta(name, title, layers, 1536);
  config.convolved = 3;
  return config;
}

}  // namespace

Network make_deberta_v3_xsmall(int sequence) {
  return make_encoder(deberta("deberta-v3-xsmall", "DeBERTa-v3-xsmall", 12, 384), sequence);
}
Network make_deberta_v3_small(int sequence) {
  return make_encoder(deberta("deberta-v3-small", "DeBERTa-v3-small", 6, 768), sequence);
}
Network make_deberta_v3_base(int sequence) {
  return make_encoder(deberta("deberta-v3-base", "DeBERTa-v3-base", 12, 768), sequence);
}
Network make_deberta_v3_large(int sequence) {
  return make_encoder(deberta("deberta-v3-large", "DeBERTa-v3-large", 24, 1024), sequence);
}

Network make_mdeberta_v3_base(int sequence) {
  auto config = deberta("mdeberta-v3-base", "mDeBERTa-v3-base", 12, 768);
  config.vocabulary = 251'000;
  return make_encoder(config, sequence);
}

Network make_deberta_v2_xlarge(int sequence) {
  return make_encoder(convolving("deberta-v2-xlarge", "DeBERTa-v2-xlarge", 24), sequence);
}
Network make_deberta_v2_xxlarge(int sequence) {
  return make_encoder(convolving("deberta-v2-xxlarge", "DeBERTa-v2-xxlarge", 48), sequence);
}

}  // namespace rightsize
