#include "kernels/longer_sequence.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "kernels/networks/config_file.h"
#include "kernels/networks/encoder.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"
#include "kernels/networks/language_models.h"
#include "kernels/networks/vit.h"

namespace rightsize {
namespace {

using AnyConfig =
    std::variant<LlamaConfig, CausalConfig, HybridConfig, Gemma3nConfig, EncoderConfig>;

AnyConfig config_of(const LanguageModelConfig& language) {
  return std::visit([](const auto& one) -> AnyConfig { return one; }, language);
}

// Those of the built-in table that have rotary positions.
std::optional<AnyConfig> built_in_config(std::string_view name) {
  static const std::array<AnyConfig, 10> all{llama_160m(),
                                             llama_1b(),
                                             llama_8b(),
                                             llama_70b(),
                                             mixtral_8x7b(),
                                             mixtral_8x22b(),
                                             qwen_moe(),
                                             modernbert_base(),
                                             modernbert_large(),
                                             nomic_embed()};
  const auto* const found = std::find_if(all.begin(), all.end(), [&](const AnyConfig& config) {
    return std::visit([&](const auto& one) { return one.name == name; }, config);
  });
  return found == all.end() ? std::nullopt : std::optional<AnyConfig>(*found);
}

std::optional<AnyConfig> file_config(std::string_view path) {
  if (!is_config_path(path) || is_encoder_decoder(path)) {
    return std::nullopt;
  }
  const std::string name(path);
  const ConfigFile file(name);
  if (is_vit(file)) {
    return std::nullopt;
  }
  return is_encoder(file) ? AnyConfig(read_encoder(file, name))
                          : config_of(read_language_model(file, name));
}

std::optional<AnyConfig> config_named(std::string_view name) {
  if (const auto* const model = language_model(name)) {
    return config_of(model->config);
  }
  auto built_in = built_in_config(name);
  return built_in ? std::move(built_in) : file_config(name);
}

template <typename Config>
bool is_rotary(const Config& config) {
  if constexpr (std::is_same_v<Config, LlamaConfig> || std::is_same_v<Config, HybridConfig> ||
                std::is_same_v<Config, Gemma3nConfig>) {
    return true;
  } else {
    return config.rotary_base > 0 && config.positions == 0;
  }
}

Network network_of(const LlamaConfig& config, int sequence) {
  return make_llama(config, sequence);
}

Network network_of(const CausalConfig& config, int sequence) {
  return make_causal(config, sequence);
}

Network network_of(const HybridConfig& config, int sequence) {
  return make_hybrid(config, sequence);
}

Network network_of(const Gemma3nConfig& config, int sequence) {
  return make_gemma3n(config, sequence);
}

Network network_of(const EncoderConfig& config, int sequence) {
  return make_encoder(config, sequence);
}

// Of what is longer still the squares might be more than a whole number holds.
constexpr int longest = 1 << 22;

template <typename Config>
bool may_exceed(const Config& config, int sequence) {
  return is_rotary(config) && sequence > config.context && sequence <= longest;
}

// Of what trains; nullopt: as long as it was trained for, or not to be had.
std::optional<AnyConfig> exceeded_config(std::string_view name, int sequence, Phase phase) {
  auto config = has_backward(phase) && sequence > 0 ? config_named(name) : std::nullopt;
  const bool exceeds =
      config && std::visit([&](const auto& one) { return may_exceed(one, sequence); }, *config);
  return exceeds ? std::move(config) : std::nullopt;
}

template <typename Config>
Network lengthened(Config config, int sequence) {
  config.notes.push_back(
      fmt::format("sequences of {} tokens are longer than the {} that {} was trained for: its {}",
                  sequence,
                  config.context,
                  config.title,
                  longer_positions));
  config.context = sequence;
  return network_of(config, sequence);
}

}  // namespace

Network make_network(std::string_view name, int sequence, Phase phase) {
  const auto config = exceeded_config(name, sequence, phase);
  return config ? std::visit([&](const auto& one) { return lengthened(one, sequence); }, *config)
                : make_network(name, sequence);
}

std::int64_t exceeded_length(std::string_view name, int sequence, Phase phase) {
  const auto config = exceeded_config(name, sequence, phase);
  return config ? std::visit([](const auto& one) { return one.context; }, *config) : 0;
}

}  // namespace rightsize
