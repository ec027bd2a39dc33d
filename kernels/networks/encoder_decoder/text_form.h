// How a text is written, as it stands behind a network's name.
#pragma once

#include <string>
#include <string_view>

#include "kernels/networks/encoder_decoder/encoder_decoder.h"

namespace rightsize {

// Behind the name of a network that is trained: "mine/config.json:training".
inline constexpr std::string_view training_part = "training";

// Of "whisper-small:tokens=200:beams=5"; `info` is of what stands in front. Throws NetworkError for
// a part that is none, cannot be or is said twice.
[[nodiscard]] TextForm read_text_form(std::string_view name, const EncoderDecoderInfo& info);

// "Whisper small, 200 tokens by 5 beams".
[[nodiscard]] std::string text_title(const EncoderDecoderInfo& info, const TextForm& form);

}  // namespace rightsize
