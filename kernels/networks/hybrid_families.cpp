// Fields and what they are where a file leaves them out: the configuration classes of transformers.
#include "kernels/networks/hybrid_families.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "kernels/networks/block_fields.h"
#include "kernels/networks/hybrid_fields.h"
#include "kernels/networks/llama_parts.h"

namespace rightsize {
namespace {

namespace json = boost::json;

// Qwen Team, "Qwen3-Next", 2025, and Qwen3.5, 2026. The state is FP32, as Qwen3.5's files say
// ("mamba_ssm_dtype") and SGLang has it of Qwen3-Next; vLLM may keep it in 16 bits.
void read_qwen(const ConfigFile& file, HybridConfig& config) {
  read_hybrid_attention(file, config);
  config.rotary_base = rope_theta_or(file, 10'000'000);
  config.gated_attention = file.flag_or("attn_output_gate", true);
  config.recurrence = {.rule = StateRule::gated_delta,
                       .heads = file.positive("linear_num_value_heads"),
                       .head_dim = file.positive("linear_value_head_dim"),
                       .groups = file.positive("linear_num_key_heads"),
                       .state_dim = file.positive("linear_key_head_dim"),
                       .kernel = file.positive_or("linear_conv_kernel_dim", 4),
                       .bias = false,
                       .wide_state = file.word_or("mamba_ssm_dtype", "float32") == "float32"};
  config.mixture = read_mixture(file, 0);
  const bool mixed = config.mixture.experts > 0;
  config.feed_forward = mixed ? 0 : file.positive("intermediate_size");
  const auto every = file.positive_or("full_attention_interval", 4);
  const auto usual = [every](std::int64_t block) {
    return (block + 1) % every == 0 ? Mixer::attention : Mixer::recurrence;
  };
  fill_blocks(
      file, config, mixed ? FeedKind::experts : FeedKind::dense, listed_mixers(file, usual));
  config.notes.emplace_back(
      "the norms of its queries and keys are left out, and layers that guess further tokens (MTP)");
}

// NVIDIA, "Nemotron-H", 2025; "Nemotron Nano 2", 2025; "Nemotron 3 Nano", 2025. A letter a part:
// M Mamba-2, * attention, - feed-forward, E experts.
HybridBlock nemotron_block(const ConfigFile& file, char letter) {
  switch (letter) {
    case 'M':
      return {Mixer::recurrence, FeedKind::none};
    case '*':
      return {Mixer::attention, FeedKind::none};
    case '-':
      return {Mixer::none, FeedKind::dense};
    case 'E':
      return {Mixer::none, FeedKind::experts};
    default:
      file.fail("hybrid_override_pattern",
                fmt::format("has \"{}\"; known are M, *, - and E", letter));
  }
}

HybridBlock nemotron_block(const ConfigFile& file, const json::value& word) {
  if (word == "mlp") {
    return {Mixer::none, FeedKind::dense};
  }
  if (word == "moe") {
    return {Mixer::none, FeedKind::experts};
  }
  return {mixer_named(file, "layers_block_type", word), FeedKind::none};
}

void read_nemotron_blocks(const ConfigFile& file, HybridConfig& config) {
  if (const auto* list = file.list("layers_block_type"); list != nullptr) {
    for (const auto& word : *list) {
      config.blocks.push_back(nemotron_block(file, word));
    }
  } else {
    for (const char letter : file.word_or("hybrid_override_pattern", "")) {
      config.blocks.push_back(nemotron_block(file, letter));
    }
  }
  if (config.blocks.empty()) {
    file.fail("hybrid_override_pattern", "is missing, and so is \"layers_block_type\"");
  }
  require_layers(file, "hybrid_override_pattern", static_cast<int>(config.blocks.size()));
}

bool has_feed(const HybridConfig& config, FeedKind kind) {
  return std::any_of(config.blocks.begin(), config.blocks.end(), [&](const HybridBlock& block) {
    return block.feed == kind;
  });
}

void read_nemotron(const ConfigFile& file, HybridConfig& config) {
  read_hybrid_attention(file, config);
  read_nemotron_blocks(file, config);
  file.require("mlp_hidden_act", "relu2");
  config.gated = false;
  config.recurrence = {.heads = file.positive("mamba_num_heads"),
                       .head_dim = file.positive("mamba_head_dim"),
                       .groups = file.positive_or("n_groups", 8),
                       .state_dim = file.positive_or("ssm_state_size", 128),
                       .kernel = file.positive_or("conv_kernel", 4),
                       .bias = file.flag_or("use_conv_bias", true),
                       .wide_state = file.word_or("mamba_ssm_cache_dtype", "float32") == "float32"};
  config.projection_bias = file.flag_or("mamba_proj_bias", file.flag_or("use_bias", false));
  if (has_feed(config, FeedKind::dense)) {
    config.feed_forward = file.positive("intermediate_size");
  }
  if (has_feed(config, FeedKind::experts)) {
    config.mixture = read_mixture(file, 0);
    if (config.mixture.experts == 0) {
      file.fail("n_routed_experts", "is missing, and some of its layers are of experts");
    }
    config.mixture.shared_feed_forward =
        file.count_or("n_shared_experts", 1) *
        file.count_or("moe_shared_expert_intermediate_size", config.mixture.feed_forward);
    config.expert_width = file.count_or("moe_latent_size", 0);
  }
  if (file.count_or("num_nextn_predict_layers", 0) > 0) {
    config.notes.emplace_back("the layers that guess further tokens (MTP) are left out");
  }
}

constexpr std::array<HybridFamily, 16> families{
    {{"kimi_linear", "Kimi-Linear-style", read_kimi},
     {"minimax_text_01", "MiniMax-01-style", read_minimax},
     {"minimax_m1", "MiniMax-M1-style", read_minimax},
     {"lfm2", "LFM2-style", read_lfm2},
     {"lfm2_moe", "LFM2-MoE-style", read_lfm2},
     {"qwen3_next", "Qwen3-Next-style", read_qwen},
     {"qwen3_5_text", "Qwen3.5-style", read_qwen},
     {"qwen3_5_moe_text", "Qwen3.5-MoE-style", read_qwen},
     {"nemotron_h", "Nemotron-H-style", read_nemotron},
     {"granitemoehybrid", "Granite-4-style", read_granite},
     {"bamba", "Bamba-style", read_bamba},
     {"falcon_h1", "Falcon-H1-style", read_falcon_h1},
     {"jamba", "Jamba-style", read_jamba},
     {"mamba", "Mamba-style", read_mamba},
     {"falcon_mamba", "Falcon-Mamba-style", read_mamba},
     {"mamba2", "Mamba-2-style", read_mamba2}}};

}  // namespace

std::span<const HybridFamily> hybrid_families() {
  return families;
}

}  // namespace rightsize
