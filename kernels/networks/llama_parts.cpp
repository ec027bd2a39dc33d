#include "kernels/networks/llama_parts.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace rightsize {
namespace {

namespace json = boost::json;

constexpr std::int64_t most_experts = std::int64_t{1} << 12;

// What makes a family's networks its own. Without it a file would be read as another network under
// the same name.
struct Family {
  std::string_view model_type;
  std::string_view title;
  const char* experts;  // the field that counts them
  bool latent;
  bool may_be_dense;  // "None means dense model" (DeepSeek's configuration class)
};

constexpr std::array<Family, 11> families{
    {{"mixtral", "Mixtral", "num_local_experts", false, false},
     {"gpt_oss", "gpt-oss", "num_local_experts", false, false},
     {"llama4_text", "Llama 4", "num_local_experts", false, false},
     {"granitemoe", "Granite MoE", "num_local_experts", false, false},
     {"qwen2_moe", "Qwen2 MoE", "num_experts", false, false},
     {"qwen3_moe", "Qwen3 MoE", "num_experts", false, false},
     {"glm4_moe", "GLM-4 MoE", "n_routed_experts", false, false},
     {"deepseek", "DeepSeek MoE", "n_routed_experts", false, true},
     {"deepseek_v2", "DeepSeek-V2", "n_routed_experts", true, true},
     {"deepseek_v3", "DeepSeek-V3", "n_routed_experts", true, true},
     {"kimi_k2", "Kimi K2", "n_routed_experts", true, true}}};

// Null: of a family without either, or of none.
const Family* family_of(const ConfigFile& file) {
  const auto type = file.word_or("model_type", "");
  const auto found = std::find_if(families.begin(), families.end(), [&](const Family& family) {
    return family.model_type == type;
  });
  return found == families.end() ? nullptr : &*found;
}

[[noreturn]] void fail_as_missing(const ConfigFile& file, const char* field) {
  file.fail(field,
            fmt::format("is not given, which every \"{}\" has", file.word_or("model_type", "?")));
}

}  // namespace

std::string mixture_title(const ConfigFile& file) {
  const auto* family = family_of(file);
  return family == nullptr ? "Llama-style with experts" : std::string(family->title);
}

MixtureConfig read_mixture(const ConfigFile& file, std::int64_t feed_forward) {
  MixtureConfig mixture;
  for (const char* field : {"num_local_experts", "num_experts", "n_routed_experts"}) {
    mixture.experts = file.given(field) ? file.positive(field, most_experts) : mixture.experts;
  }
  if (mixture.experts == 0) {
    const auto* family = family_of(file);
    if (family != nullptr && !(family->may_be_dense && file.says_null(family->experts))) {
      fail_as_missing(file, family->experts);
    }
    return mixture;
  }
  mixture.per_token = file.positive("num_experts_per_tok");
  if (mixture.per_token > mixture.experts) {
    file.fail("num_experts_per_tok",
              fmt::format("is {}, more than the {} experts", mixture.per_token, mixture.experts));
  }
  mixture.feed_forward = file.positive_or("moe_intermediate_size", feed_forward);
  mixture.shared_feed_forward =
      file.count_or("shared_expert_intermediate_size",
                    file.count_or("n_shared_experts", 0) * mixture.feed_forward);
  if (file.word_or("model_type", "") == "llama4_text") {  // of an expert's width
    mixture.shared_feed_forward = mixture.feed_forward;
  }
  mixture.shared_gate =
      mixture.shared_feed_forward > 0 && file.given("shared_expert_intermediate_size");
  mixture.dense_blocks = static_cast<int>(file.count_or("first_k_dense_replace", 0));
  mixture.every = static_cast<int>(file.positive_or("interleave_moe_layer_step", 1));
  if (file.given("moe_layers") && !file.given("interleave_moe_layer_step")) {
    file.fail("moe_layers", "is given without interleave_moe_layer_step, which says the same");
  }
  file.require("decoder_sparse_step", 1);
  file.require("moe_layer_freq", 1);
  file.require("mlp_only_layers", json::array());
  return mixture;
}

LatentConfig read_latent(const ConfigFile& file) {
  if (!file.given("kv_lora_rank")) {
    if (const auto* family = family_of(file); family != nullptr && family->latent) {
      fail_as_missing(file, "kv_lora_rank");
    }
    return {};
  }
  return {file.positive("kv_lora_rank"),
          file.positive_or("q_lora_rank", 0),
          file.positive("qk_nope_head_dim"),
          file.positive("qk_rope_head_dim"),
          file.positive("v_head_dim")};
}

}  // namespace rightsize
