// Reads the config.json of a language model whose layers keep states: what all families have.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "kernels/networks/block_fields.h"
#include "kernels/networks/config_file.h"
#include "kernels/networks/hybrid.h"
#include "kernels/networks/hybrid_families.h"

namespace rightsize {
namespace {

// Of what also sees, the text lies within.
constexpr std::array<std::string_view, 2> seeing{"qwen3_5", "qwen3_5_moe"};

bool sees(std::string_view type) {
  return std::find(seeing.begin(), seeing.end(), type) != seeing.end();
}

const HybridFamily* family_of(std::string_view type) {
  const auto families = hybrid_families();
  const auto found = std::find_if(families.begin(), families.end(), [&](const HybridFamily& row) {
    return row.model_type == type;
  });
  return found == families.end() ? nullptr : &*found;
}

void require_fit(const ConfigFile& file, const HybridConfig& config) {
  if (config.heads > 0) {
    require_blocks(file, static_cast<int>(config.blocks.size()), config.heads, config.kv_heads);
    if (!file.given("head_dim") && !file.given("attention_head_dim") &&
        config.width % config.heads != 0) {
      file.fail("hidden_size",
                fmt::format("is {}, which the {} attention heads do not divide; give head_dim",
                            config.width,
                            config.heads));
    }
    if (config.rotary_base > 0 && config.head_dim % 2 != 0) {
      file.fail("head_dim", fmt::format("is {}; RoPE turns pairs of features", config.head_dim));
    }
  }
  const auto& recurrence = config.recurrence;
  if (recurrence.heads < 1 || recurrence.head_dim < 1 ||
      (recurrence.groups > 0 && recurrence.heads % recurrence.groups != 0)) {
    file.refuse(fmt::format("its {} groups do not divide the {} heads that keep states",
                            recurrence.groups,
                            recurrence.heads));
  }
}

void require_size(const ConfigFile& file, const HybridConfig& config) {
  const auto real = [](std::int64_t count) { return static_cast<double>(count); };
  const auto& recurrence = config.recurrence;
  const double width = real(config.width);
  const double context = real(config.context);
  const double vocabulary = real(config.vocabulary);
  const double inner = real(recurrence.heads) * real(recurrence.head_dim);
  const double packed = 2 * inner + 2 * real(recurrence.groups) * real(recurrence.state_dim) +
                        2 * real(recurrence.heads) +
                        2 * real(config.heads + config.kv_heads) * real(config.head_dim);
  const double inside =
      inner * (real(recurrence.kernel) + real(recurrence.state_dim) + real(recurrence.step_rank));
  const auto& mixture = config.mixture;
  const double fed = 3 * real(config.feed_forward + mixture.shared_feed_forward);
  const double expert = 3 * real(mixture.feed_forward) + 1;
  const double blocks = static_cast<double>(config.blocks.size());
  const double parameters =
      blocks * (width * (packed + inner + fed + real(mixture.experts) * expert) + 3 * inside +
                packed * real(recurrence.kernel)) +
      2 * vocabulary * width;
  const double elements =
      context * (blocks * (10 * width + 3 * packed + fed + inside + real(mixture.experts) +
                           real(mixture.per_token) * (expert + width)) +
                 2 * vocabulary);
  const double products = context * width * std::max({2 * packed, fed, vocabulary});
  file.require_countable({parameters, elements, products, config.context});
}

// Mamba's files name no context.
constexpr std::int64_t unnamed_context = 262'144;

HybridConfig read_shape(const ConfigFile& file, const std::string& name) {
  const char* epsilon = file.given("rms_norm_eps") ? "rms_norm_eps" : "layer_norm_epsilon";
  return {.name = name,
          .title = {},
          .width = file.positive("hidden_size"),
          .vocabulary = file.positive("vocab_size", ConfigFile::most_tokens),
          .context =
              file.positive_or("max_position_embeddings", unnamed_context, ConfigFile::most_tokens),
          .norm_epsilon = file.number_or(epsilon, 1e-5),
          .tied = file.flag_or("tie_word_embeddings", false)};
}

}  // namespace

const std::vector<std::string_view>& hybrid_types() {
  static const auto all = [] {
    std::vector<std::string_view> types;
    for (const auto& family : hybrid_families()) {
      types.push_back(family.model_type);
    }
    return types;
  }();
  return all;
}

bool is_hybrid(const ConfigFile& file) {
  const auto type = file.word_or("model_type", "");
  return sees(type) || family_of(type) != nullptr;
}

HybridConfig read_hybrid(ConfigFile file, const std::string& name) {
  const bool seen = sees(file.word_or("model_type", ""));
  if (seen) {
    const auto type = file.word_or("model_type", "") + "_text";
    if (!file.enter("text_config")) {
      file.fail("text_config", "is not given, or no object of fields");
    }
    file.suppose("model_type", type);
  }
  const auto* family = family_of(file.word_or("model_type", ""));
  if (family == nullptr) {
    file.fail("model_type", "is none that is read here");
  }
  auto config = read_shape(file, name);
  config.title = family->title;
  family->read(file, config);
  require_fit(file, config);
  require_size(file, config);
  if (file.given("quantization_config")) {
    config.notes.emplace_back(unread_quantization);
  }
  if (auto note = unread_ending(file)) {
    config.notes.push_back(std::move(*note));
  }
  if (seen) {
    config.notes.emplace_back("what it sees pictures with is left out: its text alone is counted");
  }
  return config;
}

}  // namespace rightsize
