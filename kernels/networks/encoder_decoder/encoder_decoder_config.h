// Reads the config.json that Hugging Face puts beside Whisper, T5, BART and what is made like them.
// Fields and what they are where a file leaves them out: the configuration classes of transformers.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/networks/encoder_decoder/encoder_decoder.h"

namespace rightsize {

class ConfigFile;

// The model types that are read here.
[[nodiscard]] std::vector<std::string_view> encoder_decoder_types();
[[nodiscard]] bool is_encoder_decoder(const ConfigFile& file);
// Its name is left out. Throws NetworkError naming the file and the field.
[[nodiscard]] EncoderDecoderInfo read_encoder_decoder(const ConfigFile& file);

}  // namespace rightsize
