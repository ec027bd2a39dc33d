// Llama's shape as numbers, and its config.json.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/network.h"

namespace rightsize {

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
  bool tied = false;  // the head's matrix is the embedding's table
};

// Throws EngineError for a sequence longer than the context.
[[nodiscard]] Network make_llama(const LlamaConfig& config, int sequence);

// Reads a Hugging Face style config.json. Throws EngineError naming the file and the field.
[[nodiscard]] LlamaConfig load_llama_config(const std::string& path);

}  // namespace rightsize
