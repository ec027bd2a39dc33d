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
  FeatureShape features;  // of a prompt, where it is given
  std::int64_t end;       // features of its end; 0: unused
};

extern const Model sd1, sd2, sdxl, sd3_of_medium, sd35_of_large, flux_dev, flux_schnell;

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
