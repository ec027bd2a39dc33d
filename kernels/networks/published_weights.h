// In which format the checkpoint of a language model that somebody published holds its weights:
// what its config.json says of it (quantization_config), whether the file lies here or its fields
// are in the table (language_models.json).
#pragma once

#include <string>
#include <string_view>

namespace rightsize {

class ConfigFile;

// "fp8", "int8", "int4", "nvfp4" or "mxfp4"; "": 16 bits, or a format that is not read here, such
// as bitsandbytes'. Formats by `quant_method`, as transformers, compressed-tensors and NVIDIA's
// Model Optimizer write it.
[[nodiscard]] std::string checkpoint_weights(ConfigFile file);

// The same of a network by its name or by the path of its config.json; "" of any other, and where
// no such file is. Throws NetworkError for a file that is no config.json.
[[nodiscard]] std::string published_weights(std::string_view network);

}  // namespace rightsize
