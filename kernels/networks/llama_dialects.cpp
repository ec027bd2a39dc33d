#include "kernels/networks/llama_dialects.h"

#include <algorithm>
#include <array>
#include <string>

namespace rightsize {
namespace {

// What lies around a text, and what that is called where it does not say so itself.
struct Seeing {
  std::string_view model_type;
  std::string_view text;
  const char* around = nullptr;  // what the text lies within besides
};

constexpr std::array<Seeing, 16> seeing{{{"gemma3", "gemma3_text"},
                                         {"llama4", "llama4_text"},
                                         {"mistral3", "mistral"},
                                         {"qwen2_vl", "qwen2"},
                                         {"qwen2_5_vl", "qwen2"},
                                         {"qwen3_vl", "qwen3"},
                                         {"qwen3_vl_moe", "qwen3_moe"},
                                         {"qwen2_5_omni", "qwen2", "thinker_config"},
                                         {"qwen3_omni_moe", "qwen3_moe", "thinker_config"},
                                         {"llava", "llama"},
                                         {"llava_next", "llama"},
                                         {"internvl", "qwen2"},
                                         {"kimi_vl", "deepseek_v3"},
                                         {"kimi_k25", "kimi_k2"},
                                         {"step3_vl", "step3_text"},
                                         {"glm4v_moe", "glm4_moe"}}};

// Texts of these are of the types behind them, whatever else they say.
constexpr std::array<std::array<std::string_view, 2>, 9> texts{
    {{"qwen3_vl_text", "qwen3"},
     {"qwen3_vl_moe_text", "qwen3_moe"},
     {"qwen3_omni_moe_text", "qwen3_moe"},
     {"qwen2_vl_text", "qwen2"},
     {"qwen2_5_vl_text", "qwen2"},
     {"qwen2_5_omni_text", "qwen2"},
     {"glm4v_moe_text", "glm4_moe"},
     {"ministral3", "mistral"},
     {"bailing_moe_v2", "bailing_moe"}}};

struct Name {
  std::string_view model_type;
  const char* theirs;
  const char* usual;
};

constexpr std::array<Name, 28> names{
    {{"ernie4_5_moe", "moe_num_experts", "n_routed_experts"},
     {"ernie4_5_moe", "moe_k", "num_experts_per_tok"},
     {"ernie4_5_moe", "moe_num_shared_experts", "n_shared_experts"},
     {"ernie4_5_moe", "moe_layer_start_index", "first_k_dense_replace"},
     {"ernie4_5_moe", "moe_layer_interval", "moe_layer_freq"},
     {"hunyuan_v1_moe", "moe_topk", "num_experts_per_tok"},
     {"hunyuan_v1_moe", "num_shared_expert", "n_shared_experts"},
     {"hunyuan_v1_moe", "moe_layer_num_skipped", "first_k_dense_replace"},
     {"hunyuan_v1_moe", "attention_head_dim", "head_dim"},
     {"hunyuan_v1_dense", "attention_head_dim", "head_dim"},
     {"bailing_moe", "num_shared_experts", "n_shared_experts"},
     {"bailing_moe", "use_qkv_bias", "attention_bias"},
     {"step3_text", "moe_num_experts", "n_routed_experts"},
     {"step3_text", "moe_top_k", "num_experts_per_tok"},
     {"step3_text", "share_expert_dim", "shared_expert_intermediate_size"},
     {"step3_text", "num_attention_groups", "num_key_value_heads"},
     {"step3_text", "max_seq_len", "max_position_embeddings"},
     {"exaone", "num_layers", "num_hidden_layers"},
     {"exaone", "layer_norm_epsilon", "rms_norm_eps"},
     {"exaone", "activation_function", "hidden_act"},
     {"chatglm", "num_layers", "num_hidden_layers"},
     {"chatglm", "ffn_hidden_size", "intermediate_size"},
     {"chatglm", "multi_query_group_num", "num_key_value_heads"},
     {"chatglm", "padded_vocab_size", "vocab_size"},
     {"chatglm", "kv_channels", "head_dim"},
     {"chatglm", "seq_length", "max_position_embeddings"},
     {"chatglm", "layernorm_epsilon", "rms_norm_eps"},
     {"chatglm", "add_qkv_bias", "qkv_bias"}}};

}  // namespace

const std::vector<std::string_view>& llama_types() {
  static const std::vector<std::string_view> types{
      "llama",         "mistral",    "mixtral",      "qwen2",          "qwen3",
      "phi3",          "qwen2_moe",  "qwen3_moe",    "deepseek",       "deepseek_v2",
      "deepseek_v3",   "kimi_k2",    "glm4_moe",     "gemma",          "gemma2",
      "gemma3_text",   "gpt_oss",    "llama4_text",  "granite",        "granitemoe",
      "smollm3",       "glm",        "glm4",         "chatglm",        "internlm2",
      "internlm3",     "baichuan",   "seed_oss",     "exaone",         "ernie4_5",
      "dots1",         "olmoe",      "ernie4_5_moe", "hunyuan_v1_moe", "hunyuan_v1_dense",
      "bailing_moe",   "step3_text", "nemotron-nas", "minimax_m2",     "deepseek_v32",
      "glm4_moe_lite", "glm_moe_dsa"};
  return types;
}

bool enter_text(ConfigFile& file) {
  const auto type = file.word_or("model_type", "");
  const auto* const found = std::find_if(
      seeing.begin(), seeing.end(), [&](const Seeing& one) { return one.model_type == type; });
  if (found == seeing.end()) {
    return false;
  }
  if (found->around != nullptr && !file.enter(found->around)) {
    file.fail(found->around, "is not given, or no object of fields");
  }
  const bool within = file.enter("text_config");
  if (!within && !file.given("num_hidden_layers")) {
    file.fail("text_config", "is not given, or no object of fields");
  }
  if (within) {
    file.suppose("model_type", found->text);
  } else {
    file.call("model_type", found->text);
  }
  return true;
}

void use_usual_names(ConfigFile& file) {
  const auto said = file.word_or("model_type", "");
  const auto* const text =
      std::find_if(texts.begin(), texts.end(), [&](const auto& one) { return one[0] == said; });
  if (text != texts.end()) {
    file.call("model_type", (*text)[1]);
  }
  const auto type = file.word_or("model_type", "");
  if (type == "hunyuan_v1_moe") {
    file.use_one("moe_intermediate_size");
  }
  for (const auto& name : names) {
    if (name.model_type == type) {
      file.read_as(name.theirs, name.usual);
    }
  }
}

}  // namespace rightsize
