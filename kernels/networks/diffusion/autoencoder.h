// From latents to pixels: the decoder of the autoencoder that diffusion runs inside of (Rombach et
// al., "High-resolution image synthesis with latent diffusion models", CVPR 2022), f = 8.
#pragma once

#include "kernels/networks/builder.h"

namespace rightsize::diffusion {

inline constexpr std::int64_t latent_side = 8;  // pixels

// {channels, h, w} -> {3, 8 h, 8 w}. `quantised`: a 1x1 convolution stands in front.
int decode_latents(NetworkBuilder& net, int latents, bool quantised);

// Norm, SiLU and a 3x3 convolution, twice, around a shortcut; `time` (a vector, < 0: none) is
// projected and added between them.
int residual_block(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t channels, int time = -1);

// A norm of 32 groups and SiLU behind it.
int norm_silu(NetworkBuilder& net, const std::string& name, int from);

// Twice as large by its nearest neighbour, and a 3x3 convolution.
int upsampled(NetworkBuilder& net, const std::string& name, int from);

inline constexpr Window same_3x3{.kernel = 3, .pad = 1};
inline constexpr std::int64_t norm_groups = 32;

}  // namespace rightsize::diffusion
