#include "kernels/networks/llama_parts.h"

#include <algorithm>
#include <array>
#include <cstdlib>
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

constexpr std::array<Family, 20> families{
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
     {"deepseek_v32", "DeepSeek-V3.2", "n_routed_experts", true, true},
     {"kimi_k2", "Kimi K2", "n_routed_experts", true, true},
     {"glm4_moe_lite", "GLM-4.7 Flash", "n_routed_experts", true, false},
     {"glm_moe_dsa", "GLM-5", "n_routed_experts", true, false},
     {"ernie4_5_moe", "ERNIE 4.5", "n_routed_experts", false, false},
     {"hunyuan_v1_moe", "Hunyuan", "num_experts", false, false},
     {"bailing_moe", "Ling", "num_experts", false, false},
     {"dots1", "dots.llm1", "n_routed_experts", false, false},
     {"step3_text", "Step3", "n_routed_experts", false, false},
     {"olmoe", "OLMoE", "num_experts", false, false}}};

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

// Step3 names the blocks with experts, counted from 0: "4,5,6", with none missing in between.
void read_listed_blocks(const ConfigFile& file, MixtureConfig& mixture) {
  const auto listed = file.word_or("moe_layers_enum", "");
  if (listed.empty()) {
    return;
  }
  const auto count = 1 + std::count(listed.begin(), listed.end(), ',');
  mixture.dense_blocks = std::atoi(listed.c_str());
  const auto layers = file.positive("num_hidden_layers");
  mixture.dense_end = static_cast<int>(layers - mixture.dense_blocks - count);
  if (mixture.dense_blocks < 0 || mixture.dense_end < 0) {
    file.fail("moe_layers_enum", fmt::format("is \"{}\", of {} layers", listed, layers));
  }
}

// As wide as the block's factor makes it, rounded up to a whole number of `tile` columns.
std::int64_t scaled_feed_forward(double factor, std::int64_t width) {
  constexpr std::int64_t tile = 256;
  const auto features = static_cast<std::int64_t>(2 * factor * static_cast<double>(width) / 3);
  return (features + tile - 1) / tile * tile;
}

// Of an object within a block's: null where the block is without that part.
const json::object* part_of(const ConfigFile& file, const json::value& block, const char* name) {
  const auto* whole = block.if_object();
  const auto* part = whole == nullptr ? nullptr : whole->if_contains(name);
  if (part == nullptr || !part->is_object()) {
    file.fail("block_configs", fmt::format("has a block without \"{}\"", name));
  }
  const auto& fields = part->get_object();
  const auto is = [&](const char* field) {
    const auto* value = fields.if_contains(field);
    return value != nullptr && value->is_bool() && value->get_bool();
  };
  if (is("replace_with_linear")) {
    file.fail("block_configs", "has a part that is one matrix, which is not known");
  }
  return is("no_op") ? nullptr : &fields;
}

double number_of(const ConfigFile& file, const json::object& fields, const char* name) {
  const auto* value = fields.if_contains(name);
  const double number = value != nullptr && value->is_number() ? value->to_number<double>() : 0;
  if (number <= 0 || number > ConfigFile::widest) {
    file.fail("block_configs", fmt::format("has a block whose \"{}\" is no such number", name));
  }
  return number;
}

}  // namespace

std::vector<LlamaBlock> read_blocks(const ConfigFile& file, std::int64_t heads) {
  const auto* list = file.list("block_configs");
  if (list == nullptr || list->empty()) {
    file.fail("block_configs", "is missing, or names no block");
  }
  const auto width = file.positive("hidden_size");
  std::vector<LlamaBlock> blocks;
  for (const auto& one : *list) {
    LlamaBlock block;
    if (const auto* attention = part_of(file, one, "attention")) {
      const auto group = static_cast<std::int64_t>(number_of(file, *attention, "n_heads_in_group"));
      block.kv_heads = group > 0 ? heads / group : 0;
      if (block.kv_heads < 1 || heads % group != 0) {
        file.fail("block_configs", fmt::format("has groups of {} of {} heads", group, heads));
      }
    }
    if (const auto* fed = part_of(file, one, "ffn")) {
      block.feed_forward = scaled_feed_forward(number_of(file, *fed, "ffn_mult"), width);
    }
    blocks.push_back(block);
  }
  return blocks;
}

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
  mixture.shared_gate = mixture.shared_feed_forward > 0 &&
                        file.given("shared_expert_intermediate_size") &&
                        file.word_or("model_type", "").starts_with("qwen");
  mixture.dense_blocks = static_cast<int>(file.count_or("first_k_dense_replace", 0));
  read_listed_blocks(file, mixture);
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
