#include "kernels/networks/hybrid_fields.h"

#include <fmt/format.h>

#include "kernels/networks/block_fields.h"

namespace rightsize {

namespace json = boost::json;

double rope_theta_or(const ConfigFile& file, double otherwise) {
  ConfigFile inner = file;
  return inner.enter("rope_parameters") ? inner.number_or("rope_theta", otherwise)
                                        : file.number_or("rope_theta", otherwise);
}

void read_hybrid_attention(const ConfigFile& file, HybridConfig& config) {
  config.heads = file.positive("num_attention_heads");
  config.kv_heads = file.positive_or("num_key_value_heads", config.heads);
  const char* size = file.given("head_dim") ? "head_dim" : "attention_head_dim";
  config.head_dim = file.positive_or(size, config.width / config.heads);
  config.qkv_bias = file.flag_or("attention_bias", false);
}

void fill_blocks(const ConfigFile& file,
                 HybridConfig& config,
                 FeedKind feed,
                 const MixerOf& mixer) {
  const auto count = file.positive("num_hidden_layers");
  require_layers(file, "num_hidden_layers", static_cast<int>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    config.blocks.push_back({mixer(i), feed});
  }
}

void begin_dense(const ConfigFile& file, HybridConfig& config, std::int64_t count) {
  if (count == 0 || config.mixture.experts == 0) {
    return;
  }
  config.feed_forward = file.positive("intermediate_size");
  for (std::size_t i = 0; i < config.blocks.size() && static_cast<std::int64_t>(i) < count; ++i) {
    config.blocks[i].feed = FeedKind::dense;
  }
}

Mixer mixer_named(const ConfigFile& file, const char* field, const json::value& word) {
  if (word == "mamba" || word == "linear_attention" || word == "conv") {
    return Mixer::recurrence;
  }
  if (word == "attention" || word == "full_attention") {
    return Mixer::attention;
  }
  file.fail(
      field,
      fmt::format("has {}; known are mamba, linear_attention, conv, attention and full_attention",
                  json::serialize(word)));
}

MixerOf listed_mixers(const ConfigFile& file, MixerOf otherwise) {
  const auto* list = file.list("layer_types");
  if (list == nullptr) {
    return otherwise;
  }
  if (static_cast<std::int64_t>(list->size()) != file.positive("num_hidden_layers")) {
    file.fail(
        "layer_types",
        fmt::format("names {} of {} layers", list->size(), file.positive("num_hidden_layers")));
  }
  return [&file, list](std::int64_t block) {
    return mixer_named(file, "layer_types", list->at(static_cast<std::size_t>(block)));
  };
}

}  // namespace rightsize
