// Llama's shape as numbers, and its config.json: of Llama itself, of networks that have experts in
// the place of its feed-forward part (Mixtral, Qwen-MoE, DeepSeek, GLM, gpt-oss), of Gemma, and of
// Llama-Nemotron, whose blocks differ.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/network.h"

namespace rightsize {

class ConfigFile;

// Each token takes some of many small feed-forward parts: Shazeer et al., ICLR 2017; Jiang et al.,
// "Mixtral of Experts", 2024.
struct MixtureConfig {
  std::int64_t experts = 0;  // 0: one part that every token takes, as in Llama
  std::int64_t per_token = 0;
  std::int64_t feed_forward = 0;  // of one expert
  // Beside them a part that every token takes: Dai et al., "DeepSeekMoE", ACL 2024.
  std::int64_t shared_feed_forward = 0;
  bool shared_gate = false;  // which a learned factor weighs (Qwen)
  int dense_blocks = 0;      // at the beginning, without experts
  int dense_end = 0;         // and at the end
  int every = 1;             // of so many blocks behind them the last has experts (Llama 4)
};

// Keys and values of all heads made of few features a position, which alone are cached (MLA):
// DeepSeek-AI, "DeepSeek-V2", 2024.
struct LatentConfig {
  std::int64_t width = 0;        // of what keys and values are made of; 0: none, as in Llama
  std::int64_t query_width = 0;  // of what queries are made of; 0: of the block's input
  std::int64_t head_dim = 0;     // of queries and keys, beside what turns
  std::int64_t rotary_dim = 0;
  std::int64_t value_dim = 0;
};

// A block of its own width: what a search left of Llama's (Bercovich et al., "Puzzle", 2024).
struct LlamaBlock {
  std::int64_t kv_heads = 0;      // 0: without attention
  std::int64_t feed_forward = 0;  // 0: without a feed-forward part
};

struct LlamaConfig {
  std::string name;
  std::string title;
  int layers = 0;
  std::int64_t width = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t feed_forward = 0;
  std::int64_t vocabulary = 0;
  std::int64_t context = 0;  // the longest sequence it was trained for
  double rope_theta = 10'000;
  double norm_epsilon = 1e-5;
  bool tied = false;                   // the head's matrix is the embedding's table
  bool embeds = false;                 // ends in the vector of its last position, without a head
  bool qkv_bias = false;               // as in Qwen
  bool projection_bias = false;        // of what attention makes, as in gpt-oss
  Activation gate = Activation::silu;  // of the feed-forward part; experts' is SiLU
  bool norms_after = false;  // what attention and the feed-forward part make is normalised, as in
                             // Gemma 2
  // Positions that attention sees in some blocks (Beltagy et al., "Longformer", 2020), by block
  // which these are; as in Mistral, Gemma 2 and gpt-oss.
  std::int64_t window = 0;
  std::vector<bool> windowed{};
  std::int64_t query_width = 0;      // > 0: of what queries are made of (Step3)
  std::vector<LlamaBlock> blocks{};  // as many as layers, of those that differ; else none
  LatentConfig latent{};
  MixtureConfig mixture{};
  std::vector<std::string> notes{};  // what its file says that no layer has
};

// Throws NetworkError for a sequence longer than the context.
[[nodiscard]] Network make_llama(const LlamaConfig& config, int sequence);

// Of the built-in table (families.h).
[[nodiscard]] LlamaConfig llama_160m();
[[nodiscard]] LlamaConfig llama_1b();
[[nodiscard]] LlamaConfig llama_8b();
[[nodiscard]] LlamaConfig llama_70b();
[[nodiscard]] LlamaConfig mixtral_8x7b();
[[nodiscard]] LlamaConfig mixtral_8x22b();
[[nodiscard]] LlamaConfig qwen_moe();

// Reads a Hugging Face style config.json. Throws NetworkError naming the file and the field.
[[nodiscard]] LlamaConfig read_llama(ConfigFile file, const std::string& name);

}  // namespace rightsize
