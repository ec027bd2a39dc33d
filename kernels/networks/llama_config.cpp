// Reads the config.json that Hugging Face puts beside a model of Llama's architecture (Mistral,
// Qwen and Phi 3 have it, Granite but for factors, Gemma and gpt-oss nearly), with one feed-forward
// part a block or with experts.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/networks/block_fields.h"
#include "kernels/networks/causal.h"
#include "kernels/networks/config_file.h"
#include "kernels/networks/encoder.h"
#include "kernels/networks/encoder_decoder/encoder_decoder_config.h"
#include "kernels/networks/hybrid.h"
#include "kernels/networks/llama.h"
#include "kernels/networks/llama_dialects.h"
#include "kernels/networks/llama_parts.h"
#include "kernels/networks/published_weights.h"

namespace rightsize {
namespace {

bool is_gemma(const ConfigFile& file) {
  return file.word_or("model_type", "").starts_with("gemma");
}

void require_architecture(const ConfigFile& file) {
  const auto& types = llama_types();
  const auto type = file.word_or("model_type", types.front());
  if (std::find(types.begin(), types.end(), type) == types.end()) {
    file.fail("model_type",
              fmt::format("is \"{}\"; known are {}, {}, of those that keep states {}, of encoders "
                          "{}, and of those that read and write {}. "
                          "Of images ViT's is read (vit); of others export an ONNX file",
                          type,
                          fmt::join(types, ", "),
                          fmt::join(causal_types(), ", "),
                          fmt::join(hybrid_types(), ", "),
                          fmt::join(encoder_types(), ", "),
                          fmt::join(encoder_decoder_types(), ", ")));
  }
  if (file.flag_or("mlp_bias", false)) {
    file.fail("mlp_bias", "is true; the matrices of Llama's feed-forward part have no biases");
  }
}

// Norms behind attention and feed-forward part, too: Gemma from its second version on, and GLM-4 of
// April 2025.
bool normalises_after(const ConfigFile& file) {
  const auto type = file.word_or("model_type", "");
  return (is_gemma(file) && type != "gemma") || type == "glm4";
}

// Whether its blocks differ, each of which then has widths of its own (read_blocks).
bool varies(const ConfigFile& file) {
  return file.word_or("model_type", "") == "nemotron-nas";
}

// Whether a file's bias of attention is also one of what attention makes.
bool biases_projection(const ConfigFile& file) {
  const auto type = file.word_or("model_type", "");
  if (type == "seed_oss") {
    return file.flag_or("attention_out_bias", false);
  }
  return file.flag_or("attention_bias", false) && !type.starts_with("glm") && type != "bailing_moe";
}

// What a file leaves out because its family has it so (the defaults of transformers' classes); 0:
// it has to be said.
struct Usual {
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t vocabulary = 0;
  std::int64_t context = 2048;
};

Usual usual_of(const ConfigFile& file) {
  return file.word_or("model_type", "") == "gemma3_text" ? Usual{8, 4, 256, 262'208, 131'072}
                                                         : Usual{};
}

// GELU by its tanh, as all of Gemma was trained; the first files say "gelu".
Activation gate_of(const ConfigFile& file) {
  if (!is_gemma(file)) {
    if (!file.says("hidden_act", "swiglu")) {
      file.require("hidden_act", "silu");
    }
    return Activation::silu;
  }
  for (const char* field : {"hidden_activation", "hidden_act"}) {
    const auto name = file.word_or(field, "gelu");
    if (name != "gelu" && name != "gelu_pytorch_tanh") {
      file.fail(field, fmt::format("is \"{}\"; Gemma's is gelu_pytorch_tanh", name));
    }
  }
  return Activation::gelu_tanh;
}

// What such a network has that no layer here has: it changes the numbers, and hardly the work.
void note_family(const ConfigFile& file, LlamaConfig& config) {
  const auto type = file.word_or("model_type", "");
  if (type == "gpt_oss") {
    config.notes.emplace_back(
        "its attention sinks and the biases of its experts and routers are left out (0.03 % of the "
        "parameters)");
  }
  if (file.count_or("num_nextn_predict_layers", 0) > 0) {
    config.notes.emplace_back("the layers that guess further tokens (MTP) are left out");
  }
  if (config.latent.width > 0) {
    config.notes.emplace_back(
        "GPUs that share its attention by heads hold its caches whole each; by sequences, their "
        "own");
  }
  if (type == "llama4_text") {
    config.notes.emplace_back(
        "chunks of positions that its attention sees count as windows, full at every position; the "
        "norms of its queries and keys, which have no parameters, are left out");
  }
  if (type == "gemma2") {
    config.notes.emplace_back("its caps on scores are left out");
  }
  if (type == "deepseek_v32" || type == "glm_moe_dsa") {
    config.notes.emplace_back(
        "its sparse attention reads all positions here, and what chooses 2048 of them is left out: "
        "behind long contexts it is faster than said");
  }
}

void note_quantization(const ConfigFile& file, LlamaConfig& config) {
  if (file.given("quantization_config") && checkpoint_weights(file).empty()) {
    config.notes.emplace_back(unread_quantization);
  }
}

// Where heads have latents, these say how wide they are.
void require_heads(const ConfigFile& file, const LlamaConfig& config) {
  const bool latents = config.latent.width > 0;
  if (!latents && !file.given("head_dim") && config.width % config.heads != 0) {
    file.fail("hidden_size",
              fmt::format("is {}, which the {} attention heads do not divide; give head_dim",
                          config.width,
                          config.heads));
  }
  const auto turned = latents ? config.latent.rotary_dim : config.head_dim;
  if (turned % 2 != 0) {
    file.fail(latents ? "qk_rope_head_dim" : "head_dim",
              fmt::format("is {}; RoPE turns pairs of features", turned));
  }
}

void require_shape(const ConfigFile& file, const LlamaConfig& config) {
  require_blocks(file, config.layers, config.heads, config.kv_heads);
  require_heads(file, config);
}

void require_size(const ConfigFile& file, const LlamaConfig& config) {
  const auto real = [](std::int64_t count) { return static_cast<double>(count); };
  const auto& mixture = config.mixture;
  const double width = real(config.width);
  const double vocabulary = real(config.vocabulary);
  const double context = real(config.context);
  const auto& latent = config.latent;
  const double packed =
      real(config.heads + 2 * config.kv_heads) * real(config.head_dim) +
      real(config.heads) * real(2 * latent.head_dim + latent.rotary_dim + latent.value_dim) +
      real(latent.width + latent.query_width);
  const double gated = 3 * real(std::max(config.feed_forward, mixture.shared_feed_forward));
  const double expert = 3 * real(mixture.feed_forward) + 1;
  const double parameters = config.layers *
                                std::max({width, real(latent.width), real(latent.query_width)}) *
                                (2 * packed + gated + real(mixture.experts) * expert) +
                            2 * vocabulary * width;
  const double elements =
      context * (config.layers * (10 * width + 2 * packed + 2 * gated + real(mixture.experts) +
                                  real(mixture.per_token) * (expert + width)) +
                 2 * vocabulary);
  const double products = context * width * std::max({2 * packed, gated, vocabulary});
  file.require_countable({parameters, elements, products, config.context});
}

// What all networks of Llama's kind have.
LlamaConfig read_shape(const ConfigFile& file, const std::string& name) {
  const auto usual = usual_of(file);
  const auto stated = [&](const char* field, std::int64_t otherwise) {
    return otherwise > 0 ? file.positive_or(field, otherwise) : file.positive(field);
  };
  LlamaConfig config{.name = name,
                     .title = "Llama-style",
                     .layers = static_cast<int>(file.positive("num_hidden_layers")),
                     .width = file.positive("hidden_size"),
                     .heads = stated("num_attention_heads", usual.heads),
                     .feed_forward = varies(file) ? 1 : file.positive("intermediate_size"),
                     .vocabulary = usual.vocabulary,
                     .context = file.positive_or(
                         "max_position_embeddings", usual.context, ConfigFile::most_tokens),
                     .rope_theta = file.number_or("rope_theta", 10'000),
                     .norm_epsilon = file.number_or("rms_norm_eps", 1e-6),
                     .tied = file.flag_or("tie_word_embeddings", is_gemma(file)),
                     .gate = gate_of(file),
                     .norms_after = normalises_after(file)};
  if (usual.vocabulary == 0 || file.given("vocab_size")) {
    config.vocabulary = file.positive("vocab_size", ConfigFile::most_tokens);
  }
  config.kv_heads =
      file.positive_or("num_key_value_heads", usual.kv_heads > 0 ? usual.kv_heads : config.heads);
  config.head_dim = file.positive_or(
      "head_dim", usual.head_dim > 0 ? usual.head_dim : config.width / config.heads);
  return config;
}

}  // namespace

LlamaConfig read_llama(ConfigFile file, const std::string& name) {
  const bool sees = enter_text(file);
  use_usual_names(file);
  require_architecture(file);
  auto config = read_shape(file, name);
  config.mixture = read_mixture(file, config.feed_forward);
  config.feed_forward = file.positive_or("intermediate_size_mlp", config.feed_forward);
  config.latent = read_latent(file);
  config.title = config.mixture.experts > 0 ? mixture_title(file) : config.title;
  config.query_width = file.count_or("share_q_dim", 0);
  if (varies(file)) {
    config.blocks = read_blocks(file, config.heads);
    config.layers = static_cast<int>(config.blocks.size());
  }
  const auto type = file.word_or("model_type", "");
  config.projection_bias = biases_projection(file);
  config.qkv_bias =
      file.flag_or("attention_bias", file.flag_or("qkv_bias", type.starts_with("qwen2")));
  const auto windows = read_windows(file, config.layers, config.context);
  config.window = windows.width;
  config.windowed = windows.blocks;
  note_family(file, config);
  note_quantization(file, config);
  if (auto note = unread_ending(file)) {
    config.notes.push_back(std::move(*note));
  }
  if (sees) {
    config.notes.emplace_back("what it sees or hears with is left out: its text alone is counted");
  }
  require_shape(file, config);
  require_size(file, config);
  return config;
}

}  // namespace rightsize
