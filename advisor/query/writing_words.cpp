#include "advisor/query/writing_words.h"

#include <fmt/format.h>

#include "models/laws/spelling.h"

namespace rightsize {

std::optional<WeightFormat> parse_narrow_weights(std::string_view text) {
  const auto word = bare(text);
  if (word == "awq" || word == "gptq" || word == "w4a16") {
    return WeightFormat::int4;
  }
  if (word == "w8a8" || word == "w8a16") {
    return WeightFormat::int8;
  }
  const auto format = parse_weight_format(word);
  return format == WeightFormat::own ? std::nullopt : format;
}

std::optional<Misfit> writing_misfit(const NetworkStep& step) {
  const auto& writing = step.writing;
  const char* said = writing.prompt_tokens > 0              ? "prompt_tokens"
                     : writing.output_tokens > 0            ? "output_tokens"
                     : writing.weights != WeightFormat::own ? "weights"
                     : writing.fp8_caches                   ? "caches"
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

std::string narrowed_words(const Writing& writing) {
  return fmt::format("{}{}",
                     writing.weights == WeightFormat::own
                         ? ""
                         : fmt::format(", weights in {}", to_string(writing.weights)),
                     writing.fp8_caches ? ", caches in fp8" : "");
}

}  // namespace rightsize
