// The denoisers of Stable Diffusion 1, 2 (Rombach et al., CVPR 2022) and XL (Podell et al., "SDXL",
// 2023): a U-Net with transformer blocks that read the prompt, as in Hugging Face's diffusers.
#pragma once

#include <array>

#include "kernels/networks/builder.h"

namespace rightsize::diffusion {

struct UNetShape {
  int levels = 4;
  std::array<std::int64_t, 4> channels{320, 640, 1280, 1280};
  std::array<int, 4> depth{1, 1, 1, 0};  // transformer blocks behind each residual one
  int middle_depth = 1;
  std::int64_t heads = 8;    // of every level; 0: as many as give each 64 features
  bool linear_ends = false;  // of a transformer, in place of 1x1 convolutions
  std::int64_t added = 0;    // features of pictures' sizes and the prompt's end, with the time
};

inline constexpr UNetShape unet_of_sd1{};
inline constexpr UNetShape unet_of_sd2{.heads = 0, .linear_ends = true};
inline constexpr UNetShape unet_of_sdxl{.levels = 3,
                                        .channels = {320, 640, 1280, 0},
                                        .depth = {0, 2, 10, 0},
                                        .middle_depth = 10,
                                        .heads = 0,
                                        .linear_ends = true,
                                        .added = 2816};

// What noise lies over `latents`, {4, h, w} with h and w multiples of 2^(levels - 1), given the
// features of a prompt, {c, 77, 1}, and where shape.added says so its end, {1280, 1, 1} (else < 0).
int unet(NetworkBuilder& net, const UNetShape& shape, int latents, int prompt, int prompt_end);

}  // namespace rightsize::diffusion
