// What the models of diffusion.cpp's table are put together from.
#pragma once

#include "kernels/networks/builder.h"
#include "kernels/networks/diffusion/diffusion.h"

namespace rightsize::diffusion {

// What a prompt is to a denoiser: features of its positions, and of its end (< 0: unused).
struct Prompt {
  int positions = -1;
  int end = -1;
};

struct Model {
  std::int64_t latents;  // channels
  Prompt (*read)(NetworkBuilder& net);
  // What noise lies over the latents.
  int (*denoise)(NetworkBuilder& net, int latents, const Prompt& prompt);
  FeatureShape features;    // of a prompt, where it is given
  std::int64_t end;         // features of its end; 0: unused
  std::int64_t frames = 1;  // of latents, one below the other
};

extern const Model sd1, sd2, sdxl, sd3_of_medium, sd35_of_large, flux_dev, flux_schnell;
extern const Model sd35_of_medium, flux2_dev, wan_of_1b, wan_of_5b, wan_of_14b;
extern const Model qwen_image_model, z_image_model, hunyuan_video_model;
extern const Model ltx_of_2b, ltx_of_13b;

// From a prompt to pixels.
[[nodiscard]] Network make_whole(const Model& model,
                                 const std::string& name,
                                 const std::string& title,
                                 const PictureForm& form);
// The denoiser, once.
[[nodiscard]] Network make_alone(const Model& model,
                                 const std::string& name,
                                 const std::string& title,
                                 const PictureForm& form);

}  // namespace rightsize::diffusion
