// Language models by the names that people know them by, each by the fields of the config.json that
// was published beside it (language_models.json; of several versions of one shape the longest
// context): those that are downloaded most. Others are named
// by the path of their file.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kernels/network.h"
#include "kernels/networks/llama.h"

namespace rightsize {

struct LanguageModel {
  std::string name;
  std::string title;
  std::string source;
  LlamaConfig config;
};

[[nodiscard]] std::span<const LanguageModel> language_models();
// nullptr: none of that name.
[[nodiscard]] const LanguageModel* language_model(std::string_view name);

// As long as the model allows, and at most as long as those are trained that read long texts.
inline constexpr int usual_context = 8192;
// `sequence` 0: the usual one, or as long as it can read. Throws NetworkError for a longer one.
[[nodiscard]] Network make_language_model(const LanguageModel& model, int sequence);

}  // namespace rightsize
