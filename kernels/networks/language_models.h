// Language models by the names that people know them by, each by the fields of the config.json that
// was published beside it (language_models.json; of several versions of one shape the longest
// context): those that are downloaded most. Others are named
// by the path of their file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "kernels/network.h"
#include "kernels/networks/causal.h"
#include "kernels/networks/gemma3n.h"
#include "kernels/networks/hybrid.h"
#include "kernels/networks/llama.h"

namespace rightsize {

using LanguageModelConfig = std::variant<LlamaConfig, CausalConfig, HybridConfig, Gemma3nConfig>;

// By its model_type; one that says none is of Llama's. Throws NetworkError naming the file and the
// field.
[[nodiscard]] LanguageModelConfig read_language_model(const ConfigFile& file,
                                                      const std::string& name);
// Tokens of the longest sequence it was trained for.
[[nodiscard]] std::int64_t context_of(const LanguageModelConfig& config);

struct LanguageModel {
  std::string name;
  std::string title;
  std::string source;
  LanguageModelConfig config;
  std::string weights;  // as published_weights.h has them
};

[[nodiscard]] std::span<const LanguageModel> language_models();
// nullptr: none of that name.
[[nodiscard]] const LanguageModel* language_model(std::string_view name);

// As long as the model allows, and at most as long as those are trained that read long texts.
inline constexpr int usual_context = 8192;
// `sequence` 0: the usual one, or as long as it can read. Throws NetworkError for a longer one.
[[nodiscard]] Network make_language_model(const LanguageModelConfig& config, int sequence);

}  // namespace rightsize
