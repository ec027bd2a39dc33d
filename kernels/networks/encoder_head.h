// What an encoder ends in, by the "architectures" of its config.json.
#pragma once

#include "kernels/networks/config_file.h"
#include "kernels/networks/encoder.h"

namespace rightsize {

// Into `config`. A file that names no class is of the encoder alone.
void read_encoder_head(const ConfigFile& file, EncoderConfig& config);

}  // namespace rightsize
