// What a language model writes and how its numbers are held, as people write it: one rule for job
// files, flags and the rows of a batch file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "advisor/query/tuning_words.h"

namespace rightsize {

// Narrower than the job's precision, also as vLLM's --quantization has it: awq and gptq are int4;
// nullopt: no such.
[[nodiscard]] std::optional<WeightFormat> parse_narrow_weights(std::string_view text);
inline constexpr std::string_view narrow_weights_grammar = "fp8, int8, int4, nvfp4 or mxfp4";

// nullopt where the lengths go with one another and with the phase.
[[nodiscard]] std::optional<Misfit> writing_misfit(const NetworkStep& step);

// "512 tokens read and 128 written of each".
[[nodiscard]] std::string text_lengths(const Writing& writing);

// ", weights in fp8, caches in fp8"; "" where they are as wide as the precision.
[[nodiscard]] std::string narrowed_words(const Writing& writing);

}  // namespace rightsize
