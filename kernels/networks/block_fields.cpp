#include "kernels/networks/block_fields.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace rightsize {
namespace {

namespace json = boost::json;

// Which blocks see a window alone, where a list does not say it of each.
bool is_windowed(const ConfigFile& file, std::int64_t block) {
  const auto type = file.word_or("model_type", "");
  const bool of_four = type == "llama4_text" || type == "cohere2" || type == "olmo3";
  const std::int64_t usual = type == "gemma3_text" || type == "gemma4_text" ? 6
                             : type == "gemma3n_text"                       ? 5
                             : of_four                                      ? 4
                             : type == "gemma2" || type == "gpt_oss"        ? 2
                                                                            : 0;
  if (const auto whole_every = file.positive_or("sliding_window_pattern", usual)) {
    return (block + 1) % whole_every != 0;
  }
  return block >= file.count_or("max_window_layers", 0);  // Qwen's last ones
}

std::vector<bool> windowed_of(const ConfigFile& file, int layers) {
  std::vector<bool> windowed;
  const auto* types = file.list("layer_types");
  if (types == nullptr) {
    for (int block = 0; block < layers; ++block) {
      windowed.push_back(is_windowed(file, block));
    }
    return windowed;
  }
  const bool chunks = file.word_or("model_type", "") == "llama4_text";
  const json::value part(chunks ? "chunked_attention" : "sliding_attention");
  for (const auto& type : *types) {
    const bool window = type == part;
    if (!window && type != "full_attention") {
      file.fail("layer_types",
                fmt::format("has {}; known are \"full_attention\" and {}",
                            json::serialize(type),
                            json::serialize(part)));
    }
    windowed.push_back(window);
  }
  if (windowed.size() != static_cast<std::size_t>(layers)) {
    file.fail("layer_types", fmt::format("names {} of {} layers", windowed.size(), layers));
  }
  return windowed;
}

}  // namespace

std::optional<std::string> unread_ending(const ConfigFile& file) {
  constexpr std::array<std::string_view, 4> writing{
      "ForCausalLM", "LMHeadModel", "ForConditionalGeneration", "Model"};
  const auto* classes = file.list("architectures");
  const auto* name =
      classes == nullptr || classes->empty() ? nullptr : classes->front().if_string();
  if (name == nullptr || std::any_of(writing.begin(), writing.end(), [&](std::string_view ending) {
        return std::string_view(*name).ends_with(ending);
      })) {
    return std::nullopt;
  }
  return fmt::format(
      "its \"architectures\" says {}, which is not read: the model that writes is counted, with "
      "scores of all words in place of another ending",
      std::string_view(*name));
}

// Qwen's files name a window that nobody uses. Llama 4's attention sees the chunk of positions that
// its own lies in, which at its fullest is a window.
Windows read_windows(const ConfigFile& file, int layers, std::int64_t context) {
  const auto type = file.word_or("model_type", "");
  const char* field = type == "llama4_text" ? "attention_chunk_size" : "sliding_window";
  if (!file.given(field) || !file.flag_or("use_sliding_window", !type.starts_with("qwen"))) {
    return {};
  }
  const auto width = file.positive(field, ConfigFile::most_tokens);
  return width < context ? Windows{width, windowed_of(file, layers)} : Windows{};
}

void require_layers(const ConfigFile& file, const char* field, int layers) {
  constexpr int most = 10'000;
  if (layers > most) {
    file.fail(field, fmt::format("is {}; at most {}", layers, most));
  }
}

void require_blocks(const ConfigFile& file, int layers, std::int64_t heads, std::int64_t kv_heads) {
  require_layers(file, "num_hidden_layers", layers);
  if (heads % kv_heads != 0) {
    file.fail("num_key_value_heads",
              fmt::format("is {}, which does not divide the {} attention heads", kv_heads, heads));
  }
}

}  // namespace rightsize
