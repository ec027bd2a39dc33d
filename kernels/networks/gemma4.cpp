// Gemma 4's config.json, by the names of transformers' Gemma4TextConfig.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "kernels/networks/block_fields.h"
#include "kernels/networks/config_file.h"
#include "kernels/networks/gemma3n.h"

namespace rightsize {
namespace {

constexpr std::string_view text_type = "gemma4_text";

MixtureConfig read_experts(const ConfigFile& file) {
  if (!file.flag_or("enable_moe_block", false)) {
    return {};
  }
  return {.experts = file.positive("num_experts"),
          .per_token = file.positive("top_k_experts"),
          .feed_forward = file.positive("moe_intermediate_size")};
}

// Of what all blocks have, and of those that see all positions.
Gemma3nConfig read_blocks(const ConfigFile& file, const std::string& name) {
  Gemma3nConfig config{.name = name,
                       .title = "Gemma-4-style",
                       .layers = static_cast<int>(file.positive("num_hidden_layers")),
                       .width = file.positive("hidden_size"),
                       .heads = file.positive("num_attention_heads"),
                       .kv_heads = file.positive("num_key_value_heads"),
                       .head_dim = file.positive_or("head_dim", 256),
                       .feed_forward = file.positive("intermediate_size"),
                       .vocabulary = file.positive("vocab_size", ConfigFile::most_tokens)};
  config.context = file.positive_or("max_position_embeddings", 131'072, ConfigFile::most_tokens);
  config.streams = 1;
  config.branch_rank = 0;
  config.whole_head_dim = file.positive_or("global_head_dim", 512);
  config.whole_kv_heads = file.positive_or("num_global_key_value_heads", config.kv_heads);
  config.values_are_keys = file.flag_or("attention_k_eq_v", false);
  config.shared = static_cast<int>(file.count_or("num_kv_shared_layers", 0));
  config.shared_are_wide = file.flag_or("use_double_wide_mlp", false);
  config.norm_epsilon = file.number_or("rms_norm_eps", 1e-6);
  config.mixture = read_experts(file);
  return config;
}

}  // namespace

bool is_gemma4(const ConfigFile& file) {
  constexpr std::array<std::string_view, 4> types{
      "gemma4", text_type, "gemma4_unified", "gemma4_unified_text"};
  const auto type = file.word_or("model_type", "");
  return std::find(types.begin(), types.end(), type) != types.end();
}

Gemma3nConfig read_gemma4(ConfigFile file, const std::string& name) {
  const bool sees = file.says("model_type", "gemma4") || file.says("model_type", "gemma4_unified");
  if (sees && !file.enter("text_config")) {
    file.fail("text_config", "is not given, or no object of fields");
  }
  file.call("model_type", text_type);
  auto config = read_blocks(file, name);
  config.block_width = file.count_or("hidden_size_per_layer_input", 0);
  if (config.block_width > 0) {
    config.block_vocabulary =
        file.positive_or("vocab_size_per_layer_input", config.vocabulary, ConfigFile::most_tokens);
    config.notes.emplace_back(
        "the tables of its blocks, which may lie in the host's memory, are counted on the GPU");
  }
  auto windows = read_windows(file, config.layers, config.context);
  config.window = windows.width;
  config.windowed = std::move(windows.blocks);
  if (config.values_are_keys) {
    config.notes.emplace_back(
        "where values are keys both are cached, as what serves it does: only keys turn");
  }
  if (sees) {
    config.notes.emplace_back("what it sees or hears with is left out: its text alone is counted");
  }
  require_shape(file, config);
  return config;
}

}  // namespace rightsize
