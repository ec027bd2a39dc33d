// Reads the config.json that Hugging Face puts beside a model of Llama's architecture.
#include <fstream>
#include <iterator>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "kernels/engine.h"
#include "kernels/networks/llama.h"

namespace rightsize {
namespace {

namespace json = boost::json;

class ConfigFile {
 public:
  explicit ConfigFile(std::string path) : path_(std::move(path)) {
    std::ifstream in(path_);
    if (!in) {
      throw EngineError(
          fmt::format("{}: cannot be read; check the path of the config.json", path_));
    }
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    boost::system::error_code error;
    const auto value = json::parse(text, error);
    if (error || !value.is_object()) {
      throw EngineError(
          fmt::format("{}: is not a JSON object ({}); give a Hugging Face config.json",
                      path_,
                      error ? error.message() : "something else"));
    }
    object_ = value.as_object();
  }

  [[nodiscard]] std::int64_t positive(const char* field) const {
    const auto* value = object_.if_contains(field);
    if (value == nullptr) {
      fail(field, "is missing");
    }
    if (!value->is_int64() || value->as_int64() <= 0) {
      fail(field, fmt::format("is {}, not a positive integer", json::serialize(*value)));
    }
    constexpr std::int64_t most = std::int64_t{1} << 24;  // products of three still fit 64 bits
    if (value->as_int64() > most) {
      fail(field, fmt::format("is {}, more than any such network has", value->as_int64()));
    }
    return value->as_int64();
  }
  [[nodiscard]] std::int64_t positive_or(const char* field, std::int64_t otherwise) const {
    return given(field) ? positive(field) : otherwise;
  }

  [[nodiscard]] double number_or(const char* field, double otherwise) const {
    if (!given(field)) {
      return otherwise;
    }
    const auto& value = object_.at(field);
    if (!value.is_number() || value.to_number<double>() <= 0) {
      fail(field, fmt::format("is {}, not a positive number", json::serialize(value)));
    }
    return value.to_number<double>();
  }

  [[nodiscard]] bool flag_or(const char* field, bool otherwise) const {
    if (!given(field)) {
      return otherwise;
    }
    const auto& value = object_.at(field);
    if (!value.is_bool()) {
      fail(field, fmt::format("is {}, not true or false", json::serialize(value)));
    }
    return value.as_bool();
  }

  // An architecture that differs in a field would be another network under the same name.
  void require(const char* field, std::string_view wanted) const {
    if (given(field) && object_.at(field) != json::value(wanted)) {
      fail(field,
           fmt::format("is {}; only \"{}\" is known", json::serialize(object_.at(field)), wanted));
    }
  }

  [[noreturn]] void fail(const char* field, const std::string& why) const {
    throw EngineError(fmt::format("{}: \"{}\" {}", path_, field, why));
  }

  // null is how Hugging Face writes "as usual".
  [[nodiscard]] bool given(const char* field) const {
    const auto* value = object_.if_contains(field);
    return value != nullptr && !value->is_null();
  }

 private:
  std::string path_;
  json::object object_;
};

}  // namespace

LlamaConfig load_llama_config(const std::string& path) {
  const ConfigFile file(path);
  file.require("model_type", "llama");
  file.require("hidden_act", "silu");
  for (const char* bias : {"attention_bias", "mlp_bias"}) {
    if (file.flag_or(bias, false)) {
      file.fail(bias, "is true; Llama's matrices have no biases");
    }
  }
  LlamaConfig config{.name = path,
                     .title = "Llama-style",
                     .layers = static_cast<int>(file.positive("num_hidden_layers")),
                     .width = file.positive("hidden_size"),
                     .heads = file.positive("num_attention_heads"),
                     .feed_forward = file.positive("intermediate_size"),
                     .vocabulary = file.positive("vocab_size"),
                     .context = file.positive_or("max_position_embeddings", 2048),
                     .rope_theta = file.number_or("rope_theta", 10'000),
                     .norm_epsilon = file.number_or("rms_norm_eps", 1e-6),
                     .tied = file.flag_or("tie_word_embeddings", false)};
  constexpr int most_layers = 10'000;
  if (config.layers > most_layers) {
    file.fail("num_hidden_layers", fmt::format("is {}; at most {}", config.layers, most_layers));
  }
  config.kv_heads = file.positive_or("num_key_value_heads", config.heads);
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
  config.head_dim = file.positive_or("head_dim", config.width / config.heads);
  if (config.head_dim % 2 != 0) {
    file.fail("head_dim", fmt::format("is {}; RoPE turns pairs of features", config.head_dim));
  }
  return config;
}

}  // namespace rightsize
