// Reads the config.json that Hugging Face puts beside a language model of another architecture than
// Llama's. Fields and what they are where a file leaves them out: the configuration classes of
// transformers. What a family's blocks are: causal_families.cpp.
#include <algorithm>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>

#include "kernels/networks/block_fields.h"
#include "kernels/networks/causal.h"
#include "kernels/networks/causal_families.h"
#include "kernels/networks/config_file.h"
#include "kernels/networks/published_weights.h"

namespace rightsize {
namespace {

using Names = std::initializer_list<const char*>;  // of one field, by family

const char* given_of(const ConfigFile& file, Names names) {
  const auto* const found =
      std::find_if(names.begin(), names.end(), [&](const char* name) { return file.given(name); });
  return found == names.end() ? *names.begin() : *found;
}

std::int64_t stated(const ConfigFile& file, Names names) {
  const char* name = given_of(file, names);
  if (!file.given(name)) {
    std::string others;
    for (const auto* other = names.begin() + 1; other < names.end(); ++other) {
      others += fmt::format(" or \"{}\"", *other);
    }
    file.fail(name, fmt::format("{}is missing", others.empty() ? "" : others.substr(1) + " "));
  }
  return file.positive(name);
}

std::int64_t stated_or(const ConfigFile& file,
                       Names names,
                       std::int64_t otherwise,
                       std::int64_t most = ConfigFile::widest) {
  return file.positive_or(given_of(file, names), otherwise, most);
}

std::optional<Activation> activation_of(const ConfigFile& file, std::string_view usual) {
  const char* field = given_of(file, {"hidden_act", "activation_function", "activation"});
  const auto name = file.word_or(field, usual);
  if (name == "relu") {
    return std::nullopt;
  }
  if (name == "gelu") {
    return Activation::gelu;
  }
  if (name == "gelu_new" || name == "gelu_fast" || name == "gelu_pytorch_tanh") {
    return Activation::gelu_tanh;
  }
  if (name == "relu2" || name == "xielu") {
    return Activation::squared_relu;
  }
  if (name != "silu") {
    file.fail(field,
              fmt::format("is \"{}\"; known are relu, relu2, gelu, gelu_new and silu", name));
  }
  return Activation::silu;
}

void require_shape(const ConfigFile& file, const CausalConfig& config) {
  require_blocks(file, config.layers, config.heads, config.kv_heads);
  if (!file.given("head_dim") && config.width % config.heads != 0) {
    file.refuse(fmt::format(
        "a width of {} is not divided by the {} attention heads", config.width, config.heads));
  }
  if (config.rotary_base > 0 && config.head_dim % 2 != 0) {
    file.refuse(
        fmt::format("its heads have {} features each; rotary positions turn pairs of features",
                    config.head_dim));
  }
}

void require_size(const ConfigFile& file, const CausalConfig& config) {
  const auto real = [](std::int64_t count) { return static_cast<double>(count); };
  const double width = real(config.width);
  const double packed = real(config.heads + 2 * config.kv_heads) * real(config.head_dim);
  const double fed = (config.gated ? 3 : 2) * real(config.feed_forward);
  const double vocabulary = real(config.vocabulary);
  const double context = real(config.context);
  file.require_countable(
      {config.layers * width * (2 * packed + fed) + (2 * vocabulary + context) * width,
       context * (config.layers * (10 * width + 2 * packed + 2 * fed) + 2 * vocabulary),
       context * width * std::max({2 * packed, fed, vocabulary}),
       config.context});
}

// nullptr: of none.
const CausalFamily* family_of(const ConfigFile& file) {
  const auto type = file.word_or("model_type", "");
  const auto families = causal_families();
  const auto found = std::find_if(
      families.begin(), families.end(), [&](const auto& one) { return one.model_type == type; });
  return found == families.end() ? nullptr : &*found;
}

// What all have, by all names.
CausalConfig read_shape(const ConfigFile& file, const CausalFamily& family) {
  CausalConfig config;
  config.layers =
      static_cast<int>(stated(file, {"num_hidden_layers", "n_layer", "num_layers", "n_layers"}));
  config.width = stated(file, {"hidden_size", "n_embd", "n_embed", "d_model"});
  config.heads = stated(file, {"num_attention_heads", "n_head", "num_heads", "n_heads"});
  config.kv_heads =
      stated_or(file, {"num_key_value_heads", "num_kv_heads", "n_head_kv"}, config.heads);
  config.head_dim = file.positive_or("head_dim", config.width / config.heads);
  config.feed_forward = stated_or(
      file, {"intermediate_size", "ffn_dim", "ffn_hidden_size", "n_inner"}, 4 * config.width);
  config.vocabulary = file.positive("vocab_size", ConfigFile::most_tokens);
  config.context =
      stated_or(file,
                {"max_position_embeddings", "n_positions", "seq_length", "max_seq_len", "n_ctx"},
                family.context,
                ConfigFile::most_tokens);
  config.norm_epsilon = file.number_or(
      given_of(
          file,
          {"layer_norm_eps", "layer_norm_epsilon", "norm_epsilon", "rms_norm_eps", "norm_eps"}),
      1e-5);
  config.rotary_base = file.number_or(given_of(file, {"rope_theta", "rotary_emb_base"}), 10'000);
  config.activation = activation_of(file, family.activation);
  config.tied = file.flag_or("tie_word_embeddings", family.tied);
  return config;
}

}  // namespace

const std::vector<std::string_view>& causal_types() {
  static const auto types = [] {
    std::vector<std::string_view> all;
    for (const auto& family : causal_families()) {
      all.push_back(family.model_type);
    }
    return all;
  }();
  return types;
}

bool is_causal(const ConfigFile& file) {
  return family_of(file) != nullptr;
}

CausalConfig read_causal(const ConfigFile& file, const std::string& name) {
  const auto* family = family_of(file);
  if (family == nullptr) {
    file.fail("model_type", "is none that is read here");
  }
  auto config = read_shape(file, *family);
  config.name = name;
  config.title = family->title;
  family->read(file, config);
  if (file.given("quantization_config") && checkpoint_weights(file).empty()) {
    config.notes.emplace_back(unread_quantization);
  }
  if (auto note = unread_ending(file)) {
    config.notes.push_back(std::move(*note));
  }
  require_shape(file, config);
  require_size(file, config);
  return config;
}

}  // namespace rightsize
