// Parameters are their config.json's, counted without the language model's head: of
// intfloat/e5-mistral-7b-instruct 7 110 660 096, which transformers' MistralModel holds.
#include "kernels/networks/language_embedders.h"

#include <array>

#include "kernels/networks/families.h"
#include "kernels/networks/llama.h"

namespace rightsize {
namespace {

// Wang et al., "Improving Text Embeddings with Large Language Models", ACL 2024, and Li et al.,
// "Towards General Text Embeddings", 2023: a language model without its head.
LlamaConfig language_embedder(LlamaConfig config) {
  config.embeds = true;
  config.notes = {
      "it ends in the vector of a text's last token, without the language model's head; in "
      "training "
      "the loss over a minibatch's pairs counts as a softmax over the vector, as little work"};
  return config;
}

LlamaConfig qwen2_embedder(const char* name,
                           const char* title,
                           std::int64_t width,
                           std::int64_t heads,
                           std::int64_t kv_heads,
                           std::int64_t feed_forward) {
  return language_embedder({.name = name,
                            .title = title,
                            .layers = 28,
                            .width = width,
                            .heads = heads,
                            .kv_heads = kv_heads,
                            .head_dim = 128,
                            .feed_forward = feed_forward,
                            .vocabulary = 151'646,
                            .context = 32'768,
                            .rope_theta = 1'000'000,
                            .norm_epsilon = 1e-6,
                            .qkv_bias = true});
}

Network make_e5_mistral(int sequence) {
  return make_llama(language_embedder({.name = "e5-mistral-7b",
                                       .title = "E5-Mistral 7B",
                                       .layers = 32,
                                       .width = 4096,
                                       .heads = 32,
                                       .kv_heads = 8,
                                       .head_dim = 128,
                                       .feed_forward = 14'336,
                                       .vocabulary = 32'000,
                                       .context = 32'768}),
                    sequence);
}
Network make_gte_qwen2_1_5b(int sequence) {
  return make_llama(qwen2_embedder("gte-qwen2-1.5b", "gte-Qwen2 1.5B", 1536, 12, 2, 8960),
                    sequence);
}
Network make_gte_qwen2_7b(int sequence) {
  return make_llama(qwen2_embedder("gte-qwen2-7b", "gte-Qwen2 7B", 3584, 28, 4, 18'944), sequence);
}

constexpr std::string_view qwen3_embedding_paper = "Zhang et al., 2025, Qwen3 Embedding";
constexpr std::string_view gte_source = "Li et al., 2023, gte, on Qwen2";

constexpr std::array embedders{
    NetworkInfo{"qwen3-embedding-0.6b",
                "Qwen3 Embedding 0.6B",
                qwen3_embedding_paper,
                make_qwen3_embedding_0_6b,
                8192},
    NetworkInfo{"qwen3-embedding-4b",
                "Qwen3 Embedding 4B",
                qwen3_embedding_paper,
                make_qwen3_embedding_4b,
                8192},
    NetworkInfo{"qwen3-embedding-8b",
                "Qwen3 Embedding 8B",
                qwen3_embedding_paper,
                make_qwen3_embedding_8b,
                8192},
    NetworkInfo{"e5-mistral-7b",
                "E5-Mistral 7B",
                "Wang et al., ACL 2024, E5-Mistral",
                make_e5_mistral,
                4096},
    NetworkInfo{"gte-qwen2-1.5b", "gte-Qwen2 1.5B", gte_source, make_gte_qwen2_1_5b, 8192},
    NetworkInfo{"gte-qwen2-7b", "gte-Qwen2 7B", gte_source, make_gte_qwen2_7b, 8192},
};

}  // namespace

std::span<const NetworkInfo> language_embedders() {
  return embedders;
}

}  // namespace rightsize
