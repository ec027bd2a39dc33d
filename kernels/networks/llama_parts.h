// The parts of a config.json that not every network of Llama's kind has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/networks/config_file.h"
#include "kernels/networks/llama.h"

namespace rightsize {

// "Qwen3 MoE": how people write the family of a mixture of experts.
[[nodiscard]] std::string mixture_title(const ConfigFile& file);

// Experts, by Mixtral's, Qwen's and DeepSeek's names for the same numbers. `feed_forward`: of one
// of them, where the file does not say.
[[nodiscard]] MixtureConfig read_mixture(const ConfigFile& file, std::int64_t feed_forward);

// Blocks of unequal widths, by Llama-Nemotron's "block_configs", of networks with so many heads.
[[nodiscard]] std::vector<LlamaBlock> read_blocks(const ConfigFile& file, std::int64_t heads);

// Attention to latents, by DeepSeek's names.
[[nodiscard]] LatentConfig read_latent(const ConfigFile& file);

}  // namespace rightsize
