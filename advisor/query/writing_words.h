// What a language model writes and how its numbers are held, as people write it: one rule for job
// files, flags and the rows of a batch file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "advisor/query/tuning_words.h"

namespace rightsize {

// As wide as the job's precision ("16 bits", "bf16", "own") or narrower, also as vLLM's
// --quantization has it: awq and gptq are int4. nullopt: no such, or "16 bits" in FP32.
[[nodiscard]] std::optional<WeightFormat> parse_weights(std::string_view text, Precision precision);
// What people call the precision of a language model that writes is mostly its weights': "fp8",
// "int4", "awq". nullopt: it is the arithmetic's.
[[nodiscard]] std::optional<WeightFormat> weights_as_precision(std::string_view text);
// Whether the word asks for what is taken where nothing is said: "published", "auto".
[[nodiscard]] bool says_as_published(std::string_view text);
inline constexpr std::string_view weights_grammar =
    "16 bits, fp8, int8, int4, nvfp4, mxfp4 or published";

// nullopt where the lengths go with one another and with the phase.
[[nodiscard]] std::optional<Misfit> writing_misfit(const NetworkStep& step);

// "512 tokens read and 128 written of each".
[[nodiscard]] std::string text_lengths(const Writing& writing);

}  // namespace rightsize
