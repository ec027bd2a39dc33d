// Denoisers that are transformers.
#pragma once

#include "kernels/networks/builder.h"

namespace rightsize::diffusion {

// Stable Diffusion 3 (Esser et al., 2024), as in diffusers' SD3Transformer2DModel.
struct Sd3Shape {
  std::int64_t heads = 24;  // of 64 features, and as many blocks
  bool head_norms = false;
};
inline constexpr Sd3Shape sd3_medium{};
inline constexpr Sd3Shape sd35_large{38, true};

// FLUX.1 (Black Forest Labs, 2024), as in diffusers' FluxTransformer2DModel.
struct FluxShape {
  bool guided = true;  // how strongly is an input, as of the dev model
};

// What lies over `latents`, {16, h, w}, given a prompt's features, {4096, T, 1}, and its end,
// {c, 1, 1}.
int sd3(NetworkBuilder& net, const Sd3Shape& shape, int latents, int prompt, int prompt_end);
int flux(NetworkBuilder& net, const FluxShape& shape, int latents, int prompt, int prompt_end);

}  // namespace rightsize::diffusion
