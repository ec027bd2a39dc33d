// Families of hybrid.h whose layers are linear attention or convolutions. Fields and what they are
// where a file leaves them out: the configuration classes beside the checkpoints, and
// transformers'.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "kernels/networks/hybrid_fields.h"
#include "kernels/networks/llama_parts.h"

namespace rightsize {
namespace {

namespace json = boost::json;

// Numbers of layers, from `first` on.
std::set<std::int64_t> listed(const ConfigFile& file, const char* field, std::int64_t first) {
  const auto* list = file.list(field);
  if (list == nullptr) {
    file.fail(field, "is missing");
  }
  std::set<std::int64_t> layers;
  for (const auto& one : *list) {
    if (!one.is_int64() || one.as_int64() < first) {
      file.fail(field, fmt::format("has {}, which is no layer", json::serialize(one)));
    }
    layers.insert(one.as_int64() - first);
  }
  return layers;
}

Mixer attention_at(bool attends) {
  return attends ? Mixer::attention : Mixer::recurrence;
}

// LFM2's width is two thirds of what a file says, by a factor, and a whole number of `tile`.
std::int64_t lfm2_feed_forward(const ConfigFile& file) {
  const char* field = file.given("block_ff_dim") ? "block_ff_dim" : "intermediate_size";
  const auto said = file.positive(field);
  if (!file.flag_or("block_auto_adjust_ff_dim", false)) {
    return said;
  }
  const auto tile = file.positive_or("block_multiple_of", 256);
  const double factor = file.number_or("block_ffn_dim_multiplier", 1);
  const auto features = static_cast<std::int64_t>(factor * static_cast<double>(2 * said / 3));
  return (features + tile - 1) / tile * tile;
}

}  // namespace

// Kimi Team, "Kimi Linear", 2025. Layers count from 1; attention is to latents and knows no
// positions. Its state is FP32, as flash-linear-attention has it.
void read_kimi(const ConfigFile& said, HybridConfig& config) {
  auto file = said;
  file.read_as("num_experts_per_token", "num_experts_per_tok");
  file.read_as("num_shared_experts", "n_shared_experts");
  auto linear = file;
  if (!linear.enter("linear_attn_config")) {
    file.fail("linear_attn_config", "is not given, or no object of fields");
  }
  read_hybrid_attention(file, config);
  config.latent = read_latent(file);
  const auto heads = linear.positive("num_heads");
  const auto size = linear.positive("head_dim");
  config.gate_rank = size;
  config.recurrence = {.rule = StateRule::channel_delta,
                       .heads = heads,
                       .head_dim = size,
                       .groups = heads,
                       .state_dim = size,
                       .kernel = linear.positive_or("short_conv_kernel_size", 4),
                       .bias = false,
                       .wide_state = true};
  config.mixture = read_mixture(file, 0);
  const bool mixed = config.mixture.experts > 0;
  config.feed_forward = mixed ? 0 : file.positive("intermediate_size");
  const auto whole = listed(linear, "full_attn_layers", 1);
  fill_blocks(file, config, mixed ? FeedKind::experts : FeedKind::dense, [&](std::int64_t block) {
    return attention_at(whole.contains(block));
  });
  begin_dense(file, config, config.mixture.dense_blocks);
}

// MiniMax, "MiniMax-01", 2025, and "MiniMax-M1", 2025: 1 is a layer that attends, 0 lightning
// attention, which has as many heads.
void read_minimax(const ConfigFile& file, HybridConfig& config) {
  read_hybrid_attention(file, config);
  config.rotary_base = rope_theta_or(file, 10'000'000);
  config.recurrence = {.rule = StateRule::lightning,
                       .heads = config.heads,
                       .head_dim = config.head_dim,
                       .groups = config.heads,
                       .state_dim = config.head_dim,
                       .kernel = 0,
                       .bias = false,
                       .wide_state = true};
  config.mixture = read_mixture(file, file.positive("intermediate_size"));
  const auto* types = file.list("attn_type_list");
  if (types == nullptr ||
      static_cast<std::int64_t>(types->size()) != file.positive("num_hidden_layers")) {
    file.fail("attn_type_list", "is missing, or not of all layers");
  }
  fill_blocks(file, config, FeedKind::experts, [&](std::int64_t block) {
    return attention_at(types->at(static_cast<std::size_t>(block)) == 1);
  });
}

// Liquid AI, "LFM2", 2025.
void read_lfm2(const ConfigFile& file, HybridConfig& config) {
  read_hybrid_attention(file, config);
  config.rotary_base = rope_theta_or(file, 1'000'000);
  config.tied = file.flag_or("tie_embedding", file.flag_or("tie_word_embeddings", true));
  config.norm_epsilon = file.number_or("norm_eps", 1e-5);
  config.projection_bias = file.flag_or("conv_bias", false);
  config.recurrence = {.rule = StateRule::gated_convolution,
                       .heads = config.heads,
                       .head_dim = config.width / config.heads,
                       .groups = 0,
                       .state_dim = 0,
                       .kernel = file.positive_or("conv_L_cache", 3),
                       .bias = config.projection_bias,
                       .norm = false};
  config.mixture = read_mixture(file, 0);
  const bool mixed = config.mixture.experts > 0;
  config.feed_forward = mixed ? 0 : lfm2_feed_forward(file);
  const auto feed = mixed ? FeedKind::experts : FeedKind::dense;
  if (file.given("layer_types")) {
    fill_blocks(file, config, feed, listed_mixers(file, nullptr));
  } else {
    const auto whole = listed(file, "full_attn_idxs", 0);
    fill_blocks(file, config, feed, [&](std::int64_t block) {
      return attention_at(whole.contains(block));
    });
  }
  begin_dense(file, config, file.count_or("num_dense_layers", 0));
  config.notes.emplace_back("the norms of its queries and keys are left out");
}

}  // namespace rightsize
