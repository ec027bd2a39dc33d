// Attention to latents as a part of a block (LatentConfig in llama.h).
#pragma once

#include <string>

#include "kernels/networks/builder.h"
#include "kernels/networks/llama.h"

namespace rightsize {

struct LatentHeads {
  LatentConfig latent;
  std::int64_t heads = 0;
  float norm_epsilon = 1e-6F;
};

// Of features of a position, heads x value_dim; returns the index of its last layer.
[[nodiscard]] int attention_to_latents(NetworkBuilder& net,
                                       const LatentHeads& heads,
                                       const std::string& name,
                                       int from);

}  // namespace rightsize
