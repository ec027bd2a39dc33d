// BERT and its kin, as Hugging Face's classes count their parameters. With the masked-language
// head, whose matrix is the embedding's table, BertForMaskedLM 109 514 298 and 335 174 458,
// DistilBertForMaskedLM 66 985 530, RobertaForMaskedLM 124 697 433 and 355 412 057,
// XLMRobertaForMaskedLM 278 295 186 and 560 142 482; no next-sentence head. As embedders (BertModel
// with its pooler) MiniLM 22 713 216, BGE 33 360 000, 109 482 240 and 335 141 888. AlbertModel with
// its pooler 11 683 584, 17 683 968, 58 724 864 and 222 595 584, in whose place is the
// masked-language head here; ElectraForSequenceClassification of the small one 13 549 314. Of the
// papers' dropout of 0.1 that on attention weights is left out.
#include "kernels/networks/bert.h"

#include "kernels/networks/families.h"

namespace rightsize {
namespace {

// Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers", NAACL 2019, uncased.
EncoderConfig bert(const char* name, const char* title, int layers, std::int64_t width) {
  return {.name = name,
          .title = title,
          .layers = layers,
          .width = width,
          .heads = width / 64,
          .feed_forward = 4 * width,
          .vocabulary = 30'522,
          .token_types = 2};
}

// Liu et al., "RoBERTa", 2019: 514 rows of positions, of which the first two are nobody's.
EncoderConfig roberta(const char* name, const char* title, int layers, std::int64_t width) {
  auto config = bert(name, title, layers, width);
  config.vocabulary = 50'265;
  config.positions = 514;
  config.token_types = 1;
  config.norm_epsilon = 1e-5;
  return config;
}

// Lan et al., "ALBERT", ICLR 2020, version 2, which drops nothing.
EncoderConfig albert(const char* name, const char* title, int layers, std::int64_t width) {
  auto config = bert(name, title, layers, width);
  config.vocabulary = 30'000;
  config.word_width = 128;
  config.one_block = true;
  config.dropped = 0;
  config.activation = Activation::gelu_tanh;
  return config;
}

// Xiao et al., "C-Pack: Packed Resources For General Chinese Embeddings", SIGIR 2024; the English
// ones, BAAI/bge-...-en-v1.5.
EncoderConfig bge(const char* name, const char* title, int layers, std::int64_t width) {
  return as_embedder(bert(name, title, layers, width));
}

}  // namespace

EncoderConfig xlm_roberta(const char* name, const char* title, int layers, std::int64_t width) {
  auto config = roberta(name, title, layers, width);
  config.vocabulary = 250'002;
  return config;
}

EncoderConfig as_embedder(EncoderConfig config) {
  config.head = EncoderHead::features;
  config.pooler = true;
  return config;
}

Network make_bert_base(int sequence) {
  return make_encoder(bert("bert-base", "BERT-base", 12, 768), sequence);
}
Network make_bert_large(int sequence) {
  return make_encoder(bert("bert-large", "BERT-large", 24, 1024), sequence);
}

// Sanh et al., "DistilBERT", 2019.
Network make_distilbert_base(int sequence) {
  auto config = bert("distilbert-base", "DistilBERT-base", 6, 768);
  config.token_types = 0;
  return make_encoder(config, sequence);
}

Network make_roberta_base(int sequence) {
  return make_encoder(roberta("roberta-base", "RoBERTa-base", 12, 768), sequence);
}
Network make_roberta_large(int sequence) {
  return make_encoder(roberta("roberta-large", "RoBERTa-large", 24, 1024), sequence);
}

Network make_xlm_roberta_base(int sequence) {
  return make_encoder(xlm_roberta("xlm-roberta-base", "XLM-RoBERTa-base", 12, 768), sequence);
}
Network make_xlm_roberta_large(int sequence) {
  return make_encoder(xlm_roberta("xlm-roberta-large", "XLM-RoBERTa-large", 24, 1024), sequence);
}

Network make_albert_base(int sequence) {
  return make_encoder(albert("albert-base", "ALBERT-base", 12, 768), sequence);
}
Network make_albert_large(int sequence) {
  return make_encoder(albert("albert-large", "ALBERT-large", 24, 1024), sequence);
}
Network make_albert_xlarge(int sequence) {
  auto config = albert("albert-xlarge", "ALBERT-xlarge", 24, 2048);
  config.heads = 16;
  return make_encoder(config, sequence);
}
Network make_albert_xxlarge(int sequence) {
  return make_encoder(albert("albert-xxlarge", "ALBERT-xxlarge", 12, 4096), sequence);
}

// Clark et al., "ELECTRA", ICLR 2020: the discriminator, as it is tuned to tell two classes apart.
Network make_electra_small(int sequence) {
  auto config = bert("electra-small", "ELECTRA-small", 12, 256);
  config.word_width = 128;
  config.head = EncoderHead::pooled_scores;
  config.pooled = Activation::gelu;
  return make_encoder(config, sequence);
}

// sentence-transformers/all-MiniLM-L6-v2, of every other layer of Wang et al., "MiniLM", NeurIPS
// 2020. Its vector is the mean of all positions, in whose place is the pooler of the same file.
Network make_minilm_l6(int sequence) {
  auto config = bge("minilm-l6", "all-MiniLM-L6-v2", 6, 384);
  config.heads = 12;
  return make_encoder(config, sequence);
}

Network make_bge_small(int sequence) {
  auto config = bge("bge-small", "BGE-small", 12, 384);
  config.heads = 12;
  return make_encoder(config, sequence);
}
Network make_bge_base(int sequence) {
  return make_encoder(bge("bge-base", "BGE-base", 12, 768), sequence);
}
Network make_bge_large(int sequence) {
  return make_encoder(bge("bge-large", "BGE-large", 24, 1024), sequence);
}

}  // namespace rightsize
