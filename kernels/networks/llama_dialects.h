// Files of networks of Llama's kind that call the same numbers by other names, or hold them within
// a network that also sees or hears.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/networks/config_file.h"

namespace rightsize {

// The model types that are read as Llama's, in Llama's names.
[[nodiscard]] const std::vector<std::string_view>& llama_types();

// Of what also sees or hears, its text is all that is read; whether it is one. The file then has
// the text's fields and its model_type.
[[nodiscard]] bool enter_text(ConfigFile& file);

// Into the names that Llama, Mixtral and DeepSeek have for the same numbers. Throws NetworkError
// for what differs from layer to layer.
void use_usual_names(ConfigFile& file);

}  // namespace rightsize
