#include <algorithm>
#include <array>
#include <utility>

#include "advisor/query/network_spellings.h"

namespace rightsize {
namespace {

// Of language models that write, as their hub has them: later versions of one shape, and what was
// tuned or distilled into it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 81> spellings{{
    {"llama31405b", "llama-405b"},
    {"llama3370b", "llama-70b"},
    {"vicuna7b", "llama-2-7b"},
    {"vicuna13b", "llama-2-13b"},
    {"deepseekr1distillllama8b", "llama-8b"},
    {"deepseekr1distillllama70b", "llama-70b"},
    {"deepseekr1distillqwen15b", "qwen2.5-1.5b"},
    {"deepseekr1distillqwen7b", "qwen2.5-7b"},
    {"deepseekr1distillqwen14b", "qwen2.5-14b"},
    {"deepseekr1distillqwen32b", "qwen2.5-32b"},
    {"deepseekr1", "deepseek-v3"},
    {"qwq32b", "qwen2.5-32b"},
    {"qwen25coder05b", "qwen2.5-0.5b"},
    {"qwen25coder15b", "qwen2.5-1.5b"},
    {"qwen25coder3b", "qwen2.5-3b"},
    {"qwen25coder7b", "qwen2.5-7b"},
    {"qwen25coder14b", "qwen2.5-14b"},
    {"qwen25coder32b", "qwen2.5-32b"},
    {"deepseekv30324", "deepseek-v3"},
    {"deepseekv31", "deepseek-v3"},
    {"deepseekv31terminus", "deepseek-v3"},
    {"deepseekr10528", "deepseek-v3"},
    {"kimik20905", "kimi-k2"},
    {"kimik2thinking", "kimi-k2"},
    {"mistralsmall24b2501", "mistral-small-24b"},
    {"mistralsmall3124b2503", "mistral-small-3.1-24b"},
    {"mistralsmall3224b2506", "mistral-small-3.1-24b"},
    {"mistralsmall3224b", "mistral-small-3.1-24b"},
    {"smollm3", "smollm3-3b"},
    {"flux1kreadev", "flux-dev"},
    {"flux1kontextdev", "flux-dev"},
    {"mistralnemo", "mistral-nemo-12b"},
    {"mistralsmall", "mistral-small-24b"},
    {"mistralsmallinstruct2409", "codestral-22b"},  // of its shape
    {"mistrallarge", "mistral-large-123b"},
    {"phi3mini4k", "phi-3-mini"},
    {"phi3mini128k", "phi-3-mini"},
    {"phi35mini", "phi-3-mini"},
    {"phi3medium4k", "phi-3-medium"},
    {"phi3medium128k", "phi-3-medium"},
    {"llama318b", "llama-8b"},
    {"llama38b", "llama-8b"},
    {"llama3170b", "llama-70b"},
    {"llama370b", "llama-70b"},
    {"llama321b", "llama-1b"},
    {"gptj", "gpt-j-6b"},
    {"gptneox", "gpt-neox-20b"},
    {"falcon", "falcon-7b"},
    {"falcon211b", "falcon-11b"},
    {"bloom", "bloom-176b"},
    {"bloomz", "bloom-176b"},
    {"bloomz560m", "bloom-560m"},
    {"bloomz1b1", "bloom-1b1"},
    {"bloomz1b7", "bloom-1b7"},
    {"bloomz3b", "bloom-3b"},
    {"bloomz7b1", "bloom-7b1"},
    {"phi1", "phi-1.5"},  // of its shape
    {"starcoderbase", "starcoder"},
    {"stablelm3b4e1t", "stablelm-3b"},
    {"c4aicommandr", "command-r"},
    {"c4aicommandr082024", "command-r-08-2024"},
    {"c4aicommandrplus", "command-r-plus"},
    {"c4aicommandrplus082024", "command-r-plus"},
    {"commandrplus082024", "command-r-plus"},
    {"c4aicommandr7b122024", "command-r7b"},
    {"c4aicommanda032025", "command-a"},
    {"olmo7b0724", "olmo-7b"},
    {"olmo204251b", "olmo-2-1b"},
    {"olmo211247b", "olmo-2-7b"},
    {"olmo2112413b", "olmo-2-13b"},
    {"olmo2032532b", "olmo-2-32b"},
    {"granite302b", "granite-3-2b"},
    {"granite312b", "granite-3-2b"},
    {"granite322b", "granite-3-2b"},
    {"granite332b", "granite-3-2b"},
    {"granite308b", "granite-3-8b"},
    {"granite318b", "granite-3-8b"},
    {"granite328b", "granite-3-8b"},
    {"granite338b", "granite-3-8b"},
    {"llama4scout17b16e", "llama-4-scout"},
    {"llama4maverick17b128e", "llama-4-maverick"},
}};

}  // namespace

std::optional<std::string_view> language_model_spelt(std::string_view wanted) {
  const auto* const found = std::find_if(
      spellings.begin(), spellings.end(), [&](const auto& row) { return row.first == wanted; });
  return found == spellings.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace rightsize
