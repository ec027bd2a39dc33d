// Families by the papers or published code that their blocks are in; which of a field's values a
// network has where its file is silent, from transformers' classes, from memory: parameters that
// equal the published counts are the check (tests/kernels/language_models_test.cpp).
#include "kernels/networks/causal_families.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "kernels/networks/block_fields.h"
#include "kernels/networks/config_file.h"

namespace rightsize {
namespace {

void set_biases(CausalConfig& config, bool biases) {
  config.qkv_bias = biases;
  config.projection_bias = biases;
  config.feed_forward_bias = biases;
}

void learn_positions(CausalConfig& config) {
  config.positions = config.context;
  config.rotary_base = 0;
}

// Press et al., "Train Short, Test Long", ICLR 2022.
void note_alibi(CausalConfig& config) {
  config.rotary_base = 0;
  config.notes.emplace_back(
      "what the distance of two positions adds to their scores (ALiBi) is left out: hardly any "
      "work");
}

// `share`: of each head's features.
void note_rotary_share(CausalConfig& config, double share) {
  if (share < 1) {
    config.notes.emplace_back(
        fmt::format("its positions turn {:.0f} % of each head's features, here all: as much work",
                    100 * share));
  }
}

void note_head_norms(CausalConfig& config) {
  config.notes.emplace_back(
      "the norms of its queries and keys are left out (less than 0.01 % of the parameters)");
}

void read_window(const ConfigFile& file, CausalConfig& config) {
  auto windows = read_windows(file, config.layers, config.context);
  config.window = windows.width;
  config.windowed = std::move(windows.blocks);
}

// Radford et al., 2019.
void read_gpt2(const ConfigFile& file, CausalConfig& config) {
  file.require("add_cross_attention", false);
  learn_positions(config);
}

// Li et al., "StarCoder", 2023; all heads share keys and values: Shazeer, "Fast Transformer
// Decoding", 2019.
void read_gpt_bigcode(const ConfigFile& file, CausalConfig& config) {
  learn_positions(config);
  config.kv_heads = file.flag_or("multi_query", true) ? 1 : config.heads;
}

// Zhang et al., "OPT", 2022. Two rows of its table of positions no position takes.
void read_opt(const ConfigFile& file, CausalConfig& config) {
  constexpr std::int64_t unused_rows = 2;
  file.require("enable_bias", true);
  file.require("layer_norm_elementwise_affine", true);
  file.require("_remove_final_layer_norm", false);
  learn_positions(config);
  config.positions += unused_rows;
  const auto words = file.positive_or("word_embed_proj_dim", config.width);
  config.word_width = words == config.width ? 0 : words;
  if (!file.flag_or("do_layer_norm_before", true)) {
    config.order = BlockOrder::norms_behind_sums;
    config.final_norm = false;
  }
}

// Black et al., 2021 (EleutherAI/gpt-neo): every other block sees a window. "attention_types" is a
// list of ["global", "local"] and how often they take turns.
void read_gpt_neo(const ConfigFile& file, CausalConfig& config) {
  learn_positions(config);
  config.qkv_bias = false;
  if (const auto* types = file.list("attention_types")) {
    const bool alternate =
        types->size() == 1 && types->front().is_array() && !types->front().as_array().empty() &&
        types->front().as_array().front() == boost::json::value({"global", "local"});
    if (!alternate) {
      file.fail("attention_types", "is not one list of [[\"global\", \"local\"], times]");
    }
  }
  const auto window = file.positive_or("window_size", 256, ConfigFile::most_tokens);
  config.window = window < config.context ? window : 0;
  for (int block = 0; block < config.layers; ++block) {
    config.windowed.push_back(config.window > 0 && block % 2 == 1);
  }
}

// Wang and Komatsuzaki, "GPT-J-6B", 2021; CodeGen (Nijkamp et al., ICLR 2023) has its blocks.
void read_gptj(const ConfigFile& file, CausalConfig& config) {
  config.order = BlockOrder::parallel;
  config.qkv_bias = false;
  config.projection_bias = false;
  config.head_bias = true;
  const auto turned = file.positive_or("rotary_dim", config.head_dim);
  note_rotary_share(config, static_cast<double>(turned) / static_cast<double>(config.head_dim));
}

// Black et al., "GPT-NeoX-20B", 2022; Biderman et al., "Pythia", ICML 2023.
void read_gpt_neox(const ConfigFile& file, CausalConfig& config) {
  const bool parallel = file.flag_or("use_parallel_residual", true);
  config.order = parallel ? BlockOrder::parallel_two_norms : BlockOrder::norms_first;
  config.qkv_bias = file.flag_or("attention_bias", true);
  config.projection_bias = config.qkv_bias;
  note_rotary_share(config, file.number_or("rotary_pct", 0.25));
}

// Le Scao et al., "BLOOM", 2022.
void read_bloom(const ConfigFile& file, CausalConfig& config) {
  file.require("apply_residual_connection_post_layernorm", false);
  config.embedding_norm = true;
  note_alibi(config);
}

// Almazrouei et al., "The Falcon Series of Open Language Models", 2023.
void read_falcon(const ConfigFile& file, CausalConfig& config) {
  const bool newer = file.flag_or("new_decoder_architecture", false);
  if (!newer) {
    config.kv_heads = file.flag_or("multi_query", true) ? 1 : config.heads;
  }
  const auto norms = file.positive_or("num_ln_in_parallel_attn", newer ? 2 : 1);
  if (newer || file.flag_or("parallel_attn", true)) {
    config.order = norms == 2 ? BlockOrder::parallel_two_norms : BlockOrder::parallel;
  }
  set_biases(config, file.flag_or("bias", false));
  if (file.flag_or("alibi", false)) {
    note_alibi(config);
  }
}

// MosaicML, "MPT-7B", 2023. Without biases its norms have no shift either.
void read_mpt(const ConfigFile& file, CausalConfig& config) {
  config.feed_forward = file.positive_or("expansion_ratio", 4) * config.width;
  const bool bare = file.flag_or("no_bias", true);
  set_biases(config, !bare);
  config.norm = bare ? BlockNorm::rms_norm : BlockNorm::layer_norm;
  auto attention = file;
  bool alibi = true;
  if (attention.enter("attn_config")) {
    config.kv_heads = attention.positive_or("kv_n_heads", config.heads);
    if (attention.flag_or("qk_ln", false)) {
      note_head_norms(config);
    }
    alibi = attention.flag_or("alibi", true);
    attention.require("rope", false);
  }
  if (alibi) {
    note_alibi(config);
  } else {
    learn_positions(config);
  }
}

// Li et al., "Textbooks Are All You Need II: phi-1.5", 2023.
void read_phi(const ConfigFile& file, CausalConfig& config) {
  config.order = BlockOrder::parallel;
  config.head_bias = true;
  note_rotary_share(config, file.number_or("partial_rotary_factor", 0.5));
  if (file.flag_or("qk_layernorm", false)) {
    note_head_norms(config);
  }
}

// Lozhkov et al., "StarCoder 2 and The Stack v2", 2024.
void read_starcoder2(const ConfigFile& file, CausalConfig& config) {
  file.require("norm_type", "layer_norm");
  file.require("mlp_type", "default");
  set_biases(config, file.flag_or("use_bias", true));
  read_window(file, config);
}

// Bellagente et al., "Stable LM 2 1.6B", 2024.
void read_stablelm(const ConfigFile& file, CausalConfig& config) {
  config.gated = true;
  set_biases(config, false);
  config.qkv_bias = file.flag_or("use_qkv_bias", false);
  if (file.flag_or("use_parallel_residual", false)) {
    config.order = BlockOrder::parallel;
  }
  note_rotary_share(config, file.number_or("partial_rotary_factor", 0.25));
  if (file.flag_or("qk_layernorm", false)) {
    note_head_norms(config);
  }
}

// Cohere, "Command R", 2024. Its LayerNorms have no shift; the first file gives two contexts.
void read_cohere(const ConfigFile& file, CausalConfig& config) {
  config.context =
      std::max(config.context,
               file.positive_or("model_max_length", config.context, ConfigFile::most_tokens));
  config.order = BlockOrder::parallel;
  config.norm = BlockNorm::rms_norm;
  config.gated = true;
  set_biases(config, false);
  config.qkv_bias = file.flag_or("attention_bias", false);
  config.projection_bias = config.qkv_bias;
  if (file.flag_or("use_qk_norm", false)) {
    note_head_norms(config);
  }
  read_window(file, config);
}

// Groeneveld et al., "OLMo", 2024.
void read_olmo(const ConfigFile& file, CausalConfig& config) {
  config.norm = BlockNorm::plain_layer_norm;
  config.gated = true;
  set_biases(config, false);
  config.qkv_bias = file.flag_or("attention_bias", false);
  config.projection_bias = config.qkv_bias;
}

// Team OLMo, "2 OLMo 2 Furious", 2025; OLMo 3 sees windows in three blocks of four.
void read_olmo2(const ConfigFile& file, CausalConfig& config) {
  read_olmo(file, config);
  config.norm = BlockNorm::rms_norm;
  config.order = BlockOrder::norms_on_branches;
  note_head_norms(config);
  read_window(file, config);
}

// LG AI Research, "EXAONE 4.0", 2025: norms as OLMo 2 has them, windows in three blocks of four.
void read_exaone4(const ConfigFile& file, CausalConfig& config) {
  read_olmo2(file, config);
}

// Swiss AI, "Apertus", 2025. Its activation, xIELU, has a square above zero and an exponential
// below.
void read_apertus(const ConfigFile& file, CausalConfig& config) {
  config.norm = BlockNorm::rms_norm;
  set_biases(config, file.flag_or("mlp_bias", false));
  config.qkv_bias = file.flag_or("attention_bias", false);
  config.projection_bias = config.qkv_bias;
  note_head_norms(config);
  config.notes.emplace_back(
      "its activation (xIELU) is a squared ReLU here, without its two learned numbers a block");
}

// NVIDIA, "Nemotron-4 15B", 2024; its LayerNorms add one to their scale.
void read_nemotron4(const ConfigFile& file, CausalConfig& config) {
  set_biases(config, file.flag_or("mlp_bias", false));
  config.qkv_bias = file.flag_or("attention_bias", false);
  config.projection_bias = config.qkv_bias;
  note_rotary_share(config, file.number_or("partial_rotary_factor", 0.5));
}

constexpr std::array<CausalFamily, 21> families{{
    {"gpt2", "GPT-2-style", "gelu_new", true, 1024, read_gpt2},
    {"gpt_bigcode", "StarCoder-style", "gelu_pytorch_tanh", true, 1024, read_gpt_bigcode},
    {"opt", "OPT-style", "relu", true, 2048, read_opt},
    {"gpt_neo", "GPT-Neo-style", "gelu_new", true, 2048, read_gpt_neo},
    {"gptj", "GPT-J-style", "gelu_new", false, 2048, read_gptj},
    {"codegen", "CodeGen-style", "gelu_new", false, 2048, read_gptj},
    {"gpt_neox", "GPT-NeoX-style", "gelu", false, 2048, read_gpt_neox},
    {"bloom", "BLOOM-style", "gelu_new", true, 2048, read_bloom},
    {"falcon", "Falcon-style", "gelu", true, 2048, read_falcon},
    {"mpt", "MPT-style", "gelu", true, 2048, read_mpt},
    {"phi", "Phi-style", "gelu_new", false, 2048, read_phi},
    {"starcoder2", "StarCoder2-style", "gelu_pytorch_tanh", true, 4096, read_starcoder2},
    {"stablelm", "StableLM-style", "silu", false, 4096, read_stablelm},
    {"cohere", "Command-R-style", "silu", true, 8192, read_cohere},
    {"cohere2", "Command-R-style", "silu", true, 8192, read_cohere},
    {"olmo", "OLMo-style", "silu", false, 2048, read_olmo},
    {"olmo2", "OLMo-2-style", "silu", false, 2048, read_olmo2},
    {"olmo3", "OLMo-3-style", "silu", false, 65'536, read_olmo2},
    {"exaone4", "EXAONE-4-style", "silu", false, 131'072, read_exaone4},
    {"apertus", "Apertus-style", "xielu", false, 65'536, read_apertus},
    {"nemotron", "Nemotron-4-style", "relu2", false, 4096, read_nemotron4},
}};

}  // namespace

std::span<const CausalFamily> causal_families() {
  return families;
}

}  // namespace rightsize
