// Language models whose checkpoints hold their weights in fewer bits than those they compute in.
#pragma once

#include <string>
#include <string_view>

#include "models/laws/decode_form.h"

namespace rightsize {

// What a reader should know who takes `network` in 16 bits: the format that it is published in, and
// how to ask for it. "" where the weights were said, or are published in 16 bits. Of model cards on
// huggingface.co: openai/gpt-oss-20b and -120b (MXFP4, the experts), deepseek-ai/DeepSeek-V3 and
// -R1, moonshotai/Kimi-K2-Instruct (FP8).
[[nodiscard]] std::string published_narrower(std::string_view network, WeightFormat said);

}  // namespace rightsize
