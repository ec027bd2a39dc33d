// The parts of a config.json that not every network of Llama's kind has, and those that others have
// too (causal.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/networks/config_file.h"
#include "kernels/networks/llama.h"

namespace rightsize {

// "Qwen3 MoE": how people write the family of a mixture of experts.
[[nodiscard]] std::string mixture_title(const ConfigFile& file);

// Experts, by Mixtral's, Qwen's and DeepSeek's names for the same numbers. `feed_forward`: of one
// of them, where the file does not say.
[[nodiscard]] MixtureConfig read_mixture(const ConfigFile& file, std::int64_t feed_forward);

// Attention to latents, by DeepSeek's names.
[[nodiscard]] LatentConfig read_latent(const ConfigFile& file);

// What a file says of its checkpoint's weights, which a network does not have.
inline constexpr std::string_view unread_quantization =
    "its quantization_config is not read: weights count in the precision that is asked for, or, of "
    "a [service], in weights = \"int4\", \"int8\", \"fp8\", \"nvfp4\" or \"mxfp4\"";

// How many positions attention sees in some of the blocks, and in which; 0: in none.
struct Windows {
  std::int64_t width = 0;
  std::vector<bool> blocks{};
};

[[nodiscard]] Windows read_windows(const ConfigFile& file, int layers, std::int64_t context);

// What attention in blocks can have.
void require_blocks(const ConfigFile& file, int layers, std::int64_t heads, std::int64_t kv_heads);

}  // namespace rightsize
