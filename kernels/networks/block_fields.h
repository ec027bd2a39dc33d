// Fields of a config.json that Llama's kind (llama.h) and others (causal.h, encoder.h) have alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/networks/config_file.h"

namespace rightsize {

// What a file says of its checkpoint's weights that checkpoint_weights() does not read.
inline constexpr std::string_view unread_quantization =
    "the format that its quantization_config names is not read here: weights count in the "
    "precision that is asked for, or, of what writes, in weights = \"int4\", \"int8\", \"fp8\", "
    "\"nvfp4\" or \"mxfp4\"";

// What is said of a file whose "architectures" names another ending than scores of all words, as
// ...ForSequenceClassification: those are counted. nullopt of a model that writes.
[[nodiscard]] std::optional<std::string> unread_ending(const ConfigFile& file);

// How many positions attention sees in some of the blocks, and in which; 0: in none.
struct Windows {
  std::int64_t width = 0;
  std::vector<bool> blocks{};
};

[[nodiscard]] Windows read_windows(const ConfigFile& file, int layers, std::int64_t context);

// Throws NetworkError, naming `field`, for more than any network has.
void require_layers(const ConfigFile& file, const char* field, int layers);
// The same, and for key-value heads that do not divide the heads.
void require_blocks(const ConfigFile& file, int layers, std::int64_t heads, std::int64_t kv_heads);

}  // namespace rightsize
