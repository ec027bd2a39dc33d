// Families of hybrid.h that are built on Mamba and Mamba-2. Fields and what they are where a file
// leaves them out: the configuration classes of transformers.
#include <algorithm>

#include "kernels/networks/hybrid_fields.h"
#include "kernels/networks/llama_parts.h"

namespace rightsize {
namespace {

namespace json = boost::json;

constexpr std::string_view no_multipliers =
    "the factors that its file scales numbers by are left "
    "out";

std::int64_t auto_or(const ConfigFile& file, const char* field, std::int64_t otherwise) {
  return file.says(field, "auto") ? otherwise : file.positive_or(field, otherwise);
}

// Mamba-2 by the names that Granite, Bamba and Falcon-H1 have for its numbers.
RecurrenceShape mamba_fields(const ConfigFile& file, const HybridConfig& config) {
  const auto inner =
      file.positive_or("mamba_d_ssm", config.width * file.positive_or("mamba_expand", 2));
  const auto heads = file.positive("mamba_n_heads");
  return {.heads = heads,
          .head_dim = auto_or(file, "mamba_d_head", inner / heads),
          .groups = file.positive_or("mamba_n_groups", 1),
          .state_dim = file.positive_or("mamba_d_state", 256),
          .kernel = file.positive_or("mamba_d_conv", 4),
          .bias = file.flag_or("mamba_conv_bias", true)};
}

// Steps of the first Mamba's channels are made of a sixteenth of the width, where a file does not
// say.
RecurrenceShape first_mamba(const ConfigFile& file,
                            std::int64_t width,
                            std::int64_t inner,
                            const char* rank,
                            const char* state) {
  return {.rule = StateRule::mamba,
          .heads = inner,
          .head_dim = 1,
          .groups = 0,
          .state_dim = file.positive_or(state, 16),
          .step_rank = auto_or(file, rank, (width + 15) / 16),
          .norm = false};
}

constexpr std::string_view any_length =
    "its file names no context: a state runs on over a sequence of any length, also over a longer "
    "one than it was trained for";

}  // namespace

// IBM, "Granite 4.0", 2025; without mixers of Mamba's it is a transformer.
void read_granite(const ConfigFile& file, HybridConfig& config) {
  read_hybrid_attention(file, config);
  config.rotary_base =
      file.says("position_embedding_type", "rope") ? rope_theta_or(file, 10'000) : 0;
  config.recurrence = mamba_fields(file, config);
  config.projection_bias = file.flag_or("mamba_proj_bias", false);
  const bool mixed = file.count_or("num_local_experts", 8) > 0;
  const auto shared = file.count_or("shared_intermediate_size", 1024);
  if (mixed) {
    config.mixture = read_mixture(file, file.positive("intermediate_size"));
    config.mixture.shared_feed_forward = shared;
  } else {
    config.feed_forward = shared;
  }
  fill_blocks(file,
              config,
              mixed ? FeedKind::experts : FeedKind::dense,
              listed_mixers(file, [](std::int64_t) { return Mixer::recurrence; }));
  config.notes.emplace_back(no_multipliers);
}

// IBM, Princeton, CMU and UIUC, "Bamba", 2024.
void read_bamba(const ConfigFile& file, HybridConfig& config) {
  read_hybrid_attention(file, config);
  config.rotary_base = rope_theta_or(file, 10'000);
  config.recurrence = mamba_fields(file, config);
  config.projection_bias = file.flag_or("mamba_proj_bias", false);
  config.feed_forward = file.positive("intermediate_size");
  const auto* places = file.list("attn_layer_indices");
  fill_blocks(file, config, FeedKind::dense, [places](std::int64_t block) {
    const bool attends =
        places != nullptr &&
        std::find(places->begin(), places->end(), json::value(block)) != places->end();
    return attends ? Mixer::attention : Mixer::recurrence;
  });
}

// Zuo et al., "Falcon-H1", 2025: both side by side in every block.
void read_falcon_h1(const ConfigFile& file, HybridConfig& config) {
  read_hybrid_attention(file, config);
  config.rotary_base = rope_theta_or(file, 10'000);
  config.recurrence = mamba_fields(file, config);
  config.recurrence.norm = file.flag_or("mamba_rms_norm", false);
  config.projection_bias = file.flag_or("mamba_proj_bias", false);
  config.feed_forward = file.positive("intermediate_size");
  fill_blocks(file, config, FeedKind::dense, [](std::int64_t) { return Mixer::both; });
  config.notes.emplace_back(no_multipliers);
}

// Lieber et al., "Jamba", 2024.
void read_jamba(const ConfigFile& file, HybridConfig& config) {
  read_hybrid_attention(file, config);
  const auto inner = config.width * file.positive_or("mamba_expand", 2);
  config.recurrence = first_mamba(file, config.width, inner, "mamba_dt_rank", "mamba_d_state");
  config.recurrence.kernel = file.positive_or("mamba_d_conv", 4);
  config.recurrence.bias = file.flag_or("mamba_conv_bias", true);
  config.recurrence.norm = true;
  config.projection_bias = file.flag_or("mamba_proj_bias", false);
  config.feed_forward = file.positive("intermediate_size");
  config.mixture = read_mixture(file, config.feed_forward);
  const auto attended = file.positive_or("attn_layer_period", 8);
  const auto first_attended = file.count_or("attn_layer_offset", 4);
  fill_blocks(file, config, FeedKind::dense, [=](std::int64_t block) {
    return block % attended == first_attended ? Mixer::attention : Mixer::recurrence;
  });
  const auto mixed = file.positive_or("expert_layer_period", 2);
  const auto first_mixed = static_cast<std::size_t>(file.count_or("expert_layer_offset", 1));
  for (std::size_t i = first_mixed; config.mixture.experts > 1 && i < config.blocks.size();
       i += static_cast<std::size_t>(mixed)) {
    config.blocks[i].feed = FeedKind::experts;
  }
}

// Gu and Dao, "Mamba", 2023; Zuo et al., "Falcon Mamba", 2024, whose norms inside the mixer have no
// parameters.
void read_mamba(const ConfigFile& file, HybridConfig& config) {
  const auto inner =
      file.positive_or("intermediate_size", config.width * file.positive_or("expand", 2));
  config.recurrence = first_mamba(file, config.width, inner, "time_step_rank", "state_size");
  config.recurrence.kernel = file.positive_or("conv_kernel", 4);
  config.recurrence.bias = file.flag_or("use_conv_bias", true);
  config.projection_bias = file.flag_or("use_bias", false);
  config.tied = file.flag_or("tie_word_embeddings", true);
  fill_blocks(file, config, FeedKind::none, [](std::int64_t) { return Mixer::recurrence; });
  config.notes.emplace_back(any_length);
}

// Dao and Gu, "Transformers are SSMs", ICML 2024; Mistral AI, "Codestral Mamba", 2024.
void read_mamba2(const ConfigFile& file, HybridConfig& config) {
  const auto inner = config.width * file.positive_or("expand", 2);
  const auto size = file.positive_or("head_dim", 64);
  config.recurrence = {.heads = file.positive_or("num_heads", inner / size),
                       .head_dim = size,
                       .groups = file.positive_or("n_groups", 8),
                       .state_dim = file.positive_or("state_size", 128),
                       .kernel = file.positive_or("conv_kernel", 4),
                       .bias = file.flag_or("use_conv_bias", true)};
  config.projection_bias = file.flag_or("use_bias", false);
  fill_blocks(file, config, FeedKind::none, [](std::int64_t) { return Mixer::recurrence; });
  config.notes.emplace_back(any_length);
}

}  // namespace rightsize
