// Encoders that make a vector of a text, as their config.json shapes them; parameters as Hugging
// Face's classes count them with the pooler that is in most files: bge-m3 567 754 752,
// multilingual-e5 278 043 648 and 559 890 432, all-mpnet-base-v2 109 486 464 (384 of which score
// distances and are left out, as of any MPNet), nomic-embed-text-v1.5 136 731 648 (1536 of which
// are of two types of tokens, left out with the positions). minilm-l6 and BGE's English ones are
// with BERT, whose shape they have. Of Qwen3 Embedding 595 776 512, 4 021 774 336 and
// 7 567 295 488, of which 256 a block are of the norms of queries and keys and left out. Of
// gte-base-en-v1.5's 136 776 192, gte-large's 434 139 136, gte-multilingual-base's 305 368 320 and
// jina-embeddings-v2's 32 690 688 and 137 368 320 the biases of what feed-forward parts make are
// left out, and of gte-large's and Jina's the two types of tokens; of EmbeddingGemma's 302 863 104
// the norms of queries and keys, and the two matrices behind the mean are not among them.
#include <string>
#include <string_view>

#include "kernels/networks/bert.h"
#include "kernels/networks/families.h"
#include "kernels/networks/llama.h"

namespace rightsize {
namespace {

constexpr std::string_view ends_in_vector =
    "it ends in the vector of a text's last token; in training the loss over a minibatch's pairs "
    "counts as a softmax over the vector, as little work; the norms of its queries and keys are "
    "left out";

EncoderConfig multilingual(const char* name, const char* title, int layers, std::int64_t width) {
  return as_embedder(xlm_roberta(name, title, layers, width));
}

LlamaConfig qwen3_embedder(const char* name,
                           const char* title,
                           int layers,
                           std::int64_t width,
                           std::int64_t heads,
                           std::int64_t feed_forward,
                           std::int64_t vocabulary) {
  return {.name = name,
          .title = title,
          .layers = layers,
          .width = width,
          .heads = heads,
          .kv_heads = 8,
          .head_dim = 128,
          .feed_forward = feed_forward,
          .vocabulary = vocabulary,
          .context = 32'768,
          .rope_theta = 1'000'000,
          .norm_epsilon = 1e-6,
          .embeds = true,
          .notes = {std::string(ends_in_vector)}};
}

}  // namespace

// Chen et al., "BGE M3-Embedding", 2024: XLM-RoBERTa-large with more positions.
Network make_bge_m3(int sequence) {
  auto config = multilingual("bge-m3", "BGE-M3", 24, 1024);
  config.context = 8192;
  config.positions = 8194;
  return make_encoder(config, sequence);
}

// Wang et al., "Multilingual E5 Text Embeddings", 2024.
Network make_multilingual_e5_base(int sequence) {
  return make_encoder(multilingual("multilingual-e5-base", "Multilingual E5 base", 12, 768),
                      sequence);
}
Network make_multilingual_e5_large(int sequence) {
  return make_encoder(multilingual("multilingual-e5-large", "Multilingual E5 large", 24, 1024),
                      sequence);
}

// Song et al., "MPNet", NeurIPS 2020, as sentence-transformers/all-mpnet-base-v2.
Network make_mpnet_base(int sequence) {
  auto config = multilingual("mpnet-base", "all-mpnet-base-v2", 12, 768);
  config.vocabulary = 30'527;
  config.token_types = 0;
  return make_encoder(config, sequence);
}

// Nussbaum et al., "Nomic Embed", 2024: rotary positions, gated feed-forward parts, no biases.
EncoderConfig nomic_embed() {
  return {.name = "nomic-embed-text",
          .title = "nomic-embed-text-v1.5",
          .layers = 12,
          .width = 768,
          .heads = 12,
          .feed_forward = 3072,
          .vocabulary = 30'528,
          .context = 8192,
          .positions = 0,
          .token_types = 2,
          .dropped = 0,
          .activation = Activation::silu,
          .gated = true,
          .biases = false,
          .rotary_base = 1000,
          .head = EncoderHead::features,
          .mean = true};
}

Network make_nomic_embed(int sequence) {
  return make_encoder(nomic_embed(), sequence);
}

namespace {

// Zhang et al., "mGTE", EMNLP 2024: as Nomic's, with biases and a sequence that needs no positions.
EncoderConfig gte(const char* name, const char* title, int layers, std::int64_t width) {
  auto config = nomic_embed();
  config.name = name;
  config.title = title;
  config.layers = layers;
  config.width = width;
  config.heads = width / 64;
  config.feed_forward = 4 * width;
  config.activation = Activation::gelu;
  config.token_types = 0;
  config.biases = true;
  config.feed_biases = false;
  config.rotary_base = 500'000;
  config.mean = false;
  return config;
}

// Guenther et al., "Jina Embeddings 2", 2023: what distances add to scores (ALiBi) is left out.
EncoderConfig jina(const char* name, const char* title, int layers, std::int64_t width) {
  auto config = gte(name, title, layers, width);
  config.rotary_base = 0;
  config.pooler = true;
  config.notes.emplace_back(
      "what the distance of two positions adds to their scores (ALiBi) is left out: hardly any "
      "work");
  return config;
}

}  // namespace

Network make_gte_base(int sequence) {
  return make_encoder(gte("gte-base-en-v1.5", "gte-base-en-v1.5", 12, 768), sequence);
}
Network make_gte_large(int sequence) {
  return make_encoder(gte("gte-large-en-v1.5", "gte-large-en-v1.5", 24, 1024), sequence);
}
Network make_gte_multilingual_base(int sequence) {
  auto config = gte("gte-multilingual-base", "gte-multilingual-base", 12, 768);
  config.vocabulary = 250'048;
  return make_encoder(config, sequence);
}

Network make_jina_small(int sequence) {
  return make_encoder(jina("jina-embeddings-v2-small", "jina-embeddings-v2-small-en", 4, 512),
                      sequence);
}
Network make_jina_base(int sequence) {
  return make_encoder(jina("jina-embeddings-v2-base", "jina-embeddings-v2-base-en", 12, 768),
                      sequence);
}

// Vera et al., "EmbeddingGemma", 2025: Gemma 3 without its head, whose positions see those behind
// them too; windows of 512 in five blocks of six.
Network make_embedding_gemma(int sequence) {
  LlamaConfig config{.name = "embeddinggemma-300m",
                     .title = "EmbeddingGemma 300M",
                     .layers = 24,
                     .width = 768,
                     .heads = 3,
                     .kv_heads = 1,
                     .head_dim = 256,
                     .feed_forward = 1152,
                     .vocabulary = 262'144,
                     .context = 2048,
                     .rope_theta = 1'000'000,
                     .norm_epsilon = 1e-6,
                     .embeds = true,
                     .gate = Activation::gelu_tanh,
                     .norms_after = true,
                     .window = 512,
                     .notes = {std::string(ends_in_vector),
                               "positions see those before them alone here, and are not averaged: "
                               "a little less work"}};
  for (int i = 1; i <= config.layers; ++i) {
    config.windowed.push_back(i % 6 != 0);
  }
  return make_llama(config, sequence);
}

// Zhang et al., "Qwen3 Embedding", 2025: Qwen 3 without its head; the rerankers of its sizes score
// two words of their last position, which is hardly more.
Network make_qwen3_embedding_0_6b(int sequence) {
  return make_llama(
      qwen3_embedder("qwen3-embedding-0.6b", "Qwen3 Embedding 0.6B", 28, 1024, 16, 3072, 151'669),
      sequence);
}
Network make_qwen3_embedding_4b(int sequence) {
  return make_llama(
      qwen3_embedder("qwen3-embedding-4b", "Qwen3 Embedding 4B", 36, 2560, 32, 9728, 151'665),
      sequence);
}
Network make_qwen3_embedding_8b(int sequence) {
  return make_llama(
      qwen3_embedder("qwen3-embedding-8b", "Qwen3 Embedding 8B", 36, 4096, 32, 12'288, 151'665),
      sequence);
}

}  // namespace rightsize
