#include "advisor/query/writing_words.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "kernels/workload.h"
#include "models/laws/spelling.h"

namespace rightsize {

std::optional<WeightFormat> parse_weights(std::string_view text, Precision precision) {
  constexpr std::array<std::string_view, 7> half{
      "16bit", "16bits", "bf16", "fp16", "bfloat16", "float16", "half"};
  constexpr std::array<std::string_view, 3> full{"fp32", "float32", "32bit"};
  const auto word = bare(text);
  const bool narrow = bytes_per_element(precision) == 2;
  const auto among = [&](const auto& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (among(half) || among(full)) {
    return narrow == among(half) ? std::optional(WeightFormat::own) : std::nullopt;
  }
  if (word == "awq" || word == "gptq" || word == "w4a16") {
    return WeightFormat::int4;
  }
  if (word == "w8a8" || word == "w8a16") {
    return WeightFormat::int8;
  }
  return parse_weight_format(word);
}

std::optional<WeightFormat> weights_as_precision(std::string_view text) {
  const auto format = parse_weights(text, Precision::bf16);
  return format == WeightFormat::own ? std::nullopt : format;
}

bool says_as_published(std::string_view text) {
  const auto word = bare(text);
  return word == "published" || word == "aspublished" || word == "auto";
}

std::optional<Misfit> writing_misfit(const NetworkStep& step) {
  const auto& writing = step.writing;
  const char* said = writing.prompt_tokens > 0   ? "prompt_tokens"
                     : writing.output_tokens > 0 ? "output_tokens"
                     : writing.weights           ? "weights"
                     : writing.fp8_caches        ? "caches"
                                                 : nullptr;
  if (said != nullptr && step.phase != Phase::decode) {
    return Misfit{said, "phase decode, of which alone it is said"};
  }
  if ((writing.prompt_tokens > 0) != (writing.output_tokens > 0)) {
    return Misfit{writing.prompt_tokens > 0 ? "output_tokens" : "prompt_tokens",
                  "tokens of each text, as the other of prompt_tokens and output_tokens is said"};
  }
  return std::nullopt;
}

std::string text_lengths(const Writing& writing) {
  return fmt::format(
      "{} tokens read and {} written of each", writing.prompt_tokens, writing.output_tokens);
}

}  // namespace rightsize
