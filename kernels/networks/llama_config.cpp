// Reads the config.json that Hugging Face puts beside a model of Llama's architecture (Mistral,
// Qwen and Phi 3 have it), with one feed-forward part a block or with experts.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/networks/config_file.h"
#include "kernels/networks/llama.h"

namespace rightsize {
namespace {

namespace json = boost::json;

constexpr std::int64_t most_tokens = std::int64_t{1} << 24;  // of a vocabulary, of a context
constexpr std::int64_t most_experts = std::int64_t{1} << 12;

// Qwen 3's norms of queries and keys, of a head's width each, are left out: thousands among
// billions of parameters.
constexpr std::array<std::string_view, 9> model_types{
    "llama", "mistral", "mixtral", "qwen2", "qwen3", "phi3", "qwen2_moe", "qwen3_moe", "deepseek"};

void require_architecture(const ConfigFile& file) {
  if (file.given("model_type") &&
      std::find(model_types.begin(), model_types.end(), file.word_or("model_type", "")) ==
          model_types.end()) {
    file.fail("model_type",
              fmt::format("is \"{}\"; known are {}. Of others export an ONNX file; BERT, GPT-2 and "
                          "ViT are built in (rightsize networks)",
                          file.word_or("model_type", "?"),
                          fmt::join(model_types, ", ")));
  }
  file.require("hidden_act", "silu");
  if (file.given("kv_lora_rank")) {
    file.fail("kv_lora_rank", "is given; attention to latent vectors (MLA) is not modelled");
  }
  for (const char* bias : {"attention_bias", "mlp_bias"}) {
    if (file.flag_or(bias, false)) {
      file.fail(bias, "is true; Llama's matrices have no biases");
    }
  }
}

// Qwen's files name a window that nobody uses.
void note_window(const ConfigFile& file, LlamaConfig& config) {
  if (!file.given("sliding_window") || !file.flag_or("use_sliding_window", true)) {
    return;
  }
  const auto window = file.positive("sliding_window", most_tokens);
  if (window < config.context) {
    config.notes.push_back(
        fmt::format("its window of {} positions is not modelled: attention reads, and caches hold, "
                    "all positions "
                    "of longer sequences",
                    window));
  }
}

void note_quantization(const ConfigFile& file, LlamaConfig& config) {
  if (file.given("quantization_config")) {
    config.notes.emplace_back(
        "its quantization_config is not read: weights count in the precision that is asked for, "
        "or, "
        "of a [service], in weights = \"int4\", \"int8\" or \"fp8\"");
  }
}

// The same numbers by Mixtral's, Qwen's and DeepSeek's names.
MixtureConfig mixture_of(const ConfigFile& file, std::int64_t feed_forward) {
  MixtureConfig mixture;
  for (const char* field : {"num_local_experts", "num_experts", "n_routed_experts"}) {
    mixture.experts = file.given(field) ? file.positive(field, most_experts) : mixture.experts;
  }
  if (mixture.experts == 0) {
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
  mixture.shared_gate =
      mixture.shared_feed_forward > 0 && file.given("shared_expert_intermediate_size");
  mixture.dense_blocks = static_cast<int>(file.count_or("first_k_dense_replace", 0));
  file.require("decoder_sparse_step", 1);
  file.require("moe_layer_freq", 1);
  file.require("mlp_only_layers", json::array());
  return mixture;
}

void require_shape(const ConfigFile& file, const LlamaConfig& config) {
  constexpr int most_layers = 10'000;
  if (config.layers > most_layers) {
    file.fail("num_hidden_layers", fmt::format("is {}; at most {}", config.layers, most_layers));
  }
  if (config.heads % config.kv_heads != 0) {
    file.fail(
        "num_key_value_heads",
        fmt::format(
            "is {}, which does not divide the {} attention heads", config.kv_heads, config.heads));
  }
  if (!file.given("head_dim") && config.width % config.heads != 0) {
    file.fail("hidden_size",
              fmt::format("is {}, which the {} attention heads do not divide; give head_dim",
                          config.width,
                          config.heads));
  }
  if (config.head_dim % 2 != 0) {
    file.fail("head_dim", fmt::format("is {}; RoPE turns pairs of features", config.head_dim));
  }
}

// Each field may be as large as any network's and all together still be more than is counted in 64
// bits (layer_work, work): all parameters, all that a whole context makes of them, the products of
// one matrix with it.
void require_size(const ConfigFile& file, const LlamaConfig& config) {
  const auto real = [](std::int64_t count) { return static_cast<double>(count); };
  const auto& mixture = config.mixture;
  const double width = real(config.width);
  const double vocabulary = real(config.vocabulary);
  const double context = real(config.context);
  const double packed = real(config.heads + 2 * config.kv_heads) * real(config.head_dim);
  const double gated = 3 * real(std::max(config.feed_forward, mixture.shared_feed_forward));
  const double expert = 3 * real(mixture.feed_forward) + 1;
  const double parameters =
      config.layers * width * (2 * packed + gated + real(mixture.experts) * expert) +
      2 * vocabulary * width;
  const double elements =
      context * (config.layers * (10 * width + 2 * packed + 2 * gated + real(mixture.experts) +
                                  real(mixture.per_token) * (expert + width)) +
                 2 * vocabulary);
  const double products = context * width * std::max({2 * packed, gated, vocabulary});
  if (parameters > 0x1p50 || elements > 0x1p60 || products > 0x1p62) {
    file.refuse(fmt::format(
        "its fields together make {:.2g} parameters and a context of {}, more than any such "
        "network has",
        parameters,
        config.context));
  }
}

}  // namespace

LlamaConfig load_llama_config(const std::string& path) {
  const ConfigFile file(path);
  require_architecture(file);
  LlamaConfig config{.name = path,
                     .title = "Llama-style",
                     .layers = static_cast<int>(file.positive("num_hidden_layers")),
                     .width = file.positive("hidden_size"),
                     .heads = file.positive("num_attention_heads"),
                     .feed_forward = file.positive("intermediate_size"),
                     .vocabulary = file.positive("vocab_size", most_tokens),
                     .context = file.positive_or("max_position_embeddings", 2048, most_tokens),
                     .rope_theta = file.number_or("rope_theta", 10'000),
                     .norm_epsilon = file.number_or("rms_norm_eps", 1e-6),
                     .tied = file.flag_or("tie_word_embeddings", false)};
  config.kv_heads = file.positive_or("num_key_value_heads", config.heads);
  config.head_dim = file.positive_or("head_dim", config.width / config.heads);
  config.mixture = mixture_of(file, config.feed_forward);
  config.title = config.mixture.experts > 0 ? "Llama-style with experts" : config.title;
  config.qkv_bias = file.flag_or("qkv_bias", file.word_or("model_type", "").starts_with("qwen2"));
  note_window(file, config);
  note_quantization(file, config);
  require_shape(file, config);
  require_size(file, config);
  return config;
}

}  // namespace rightsize
