// Denoisers that are transformers.
#pragma once

#include "kernels/networks/builder.h"

namespace rightsize::diffusion {

// Stable Diffusion 3 (Esser et al., 2024), as in diffusers' SD3Transformer2DModel.
struct Sd3Shape {
  std::int64_t heads = 24;  // of 64 features, and as many blocks
  bool head_norms = false;
  int twice = 0;  // so many first blocks' pictures also attend to themselves alone
};
inline constexpr Sd3Shape sd35_medium{24, true, 13};
inline constexpr Sd3Shape sd3_medium{};
inline constexpr Sd3Shape sd35_large{38, true};

// FLUX.1 (Black Forest Labs, 2024), as in diffusers' FluxTransformer2DModel; and HunyuanVideo
// (Kong et al., 2024), as in HunyuanVideoTransformer3DModel, whose prompt is first refined.
struct FluxShape {
  bool guided = true;  // how strongly is an input, as of the dev model
  int joint_blocks = 19;
  int single_blocks = 38;
  int refining_blocks = 0;
};
inline constexpr FluxShape hunyuan_video{true, 20, 40, 2};

// Wan: Wan Team, 2025; heads of 128 features. LTX-Video (HaCohen et al., 2024) has the same layers,
// as diffusers' LTXVideoTransformer3DModel shapes them, the smaller in heads half as wide.
struct WanShape {
  std::int64_t heads = 12;
  int blocks = 30;
  std::int64_t feed_forward = 8960;
  std::int64_t patch = 2;
};
inline constexpr WanShape wan_1b{};
inline constexpr WanShape wan_14b{40, 40, 13'824};
inline constexpr WanShape wan_5b{24, 30, 14'336};
inline constexpr WanShape ltx_2b{16, 28, 8192, 1};
inline constexpr WanShape ltx_13b{32, 48, 16'384, 1};

// What lies over `latents`, {c, h, w}, by a prompt's features, {d, T, 1}.
int flux2(NetworkBuilder& net, int latents, int prompt);
int wan(NetworkBuilder& net, const WanShape& shape, int latents, int prompt);
// Qwen-Image (Wu et al., 2025), as in diffusers' QwenImageTransformer2DModel.
int qwen_image(NetworkBuilder& net, int latents, int prompt);
// Z-Image (Z-Image Team, 2025), as in diffusers' ZImageTransformer2DModel.
int z_image(NetworkBuilder& net, int latents, int prompt);

// What lies over `latents`, {16, h, w}, given a prompt's features, {4096, T, 1}, and its end,
// {c, 1, 1}.
int sd3(NetworkBuilder& net, const Sd3Shape& shape, int latents, int prompt, int prompt_end);
int flux(NetworkBuilder& net, const FluxShape& shape, int latents, int prompt, int prompt_end);

}  // namespace rightsize::diffusion
