// Models that make a picture of a prompt: text encoders, a denoiser that is passed once a step, and
// the decoder that makes pixels, as one network whose item is a picture. Beside each stands the
// denoiser alone, "sdxl-denoiser", as it is trained: latents and the prompt's features are given.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/network.h"

namespace rightsize {

namespace diffusion {
struct Model;
}

// How a picture is made. Guidance (Ho and Salimans, "Classifier-free diffusion guidance", 2022)
// takes each step with the prompt and without.
struct PictureForm {
  int steps = 0;
  int width = 0;  // pixels
  int height = 0;
  bool guidance = false;
  int weight_bits = 0;  // of matrices in memory (quantized_weights.h); 0: the precision's

  bool operator==(const PictureForm&) const = default;
};

struct DiffusionInfo {
  std::string_view name;
  std::string_view title;
  std::string_view source;
  const diffusion::Model* model;
  PictureForm usual;  // of diffusers' pipeline
  int side_of = 64;   // widths and heights are multiples of it
  bool denoiser_alone = false;
};

[[nodiscard]] std::span<const DiffusionInfo> diffusion_models();

// As its source makes pictures.
[[nodiscard]] Network usual_picture(const DiffusionInfo& info);

// "sdxl", or "sdxl:steps=20:size=768x512:guidance=no:weights=int8", each part where it differs from
// the usual;
// nullopt: of another kind. Throws NetworkError for a part that is none or cannot be.
[[nodiscard]] std::optional<Network> make_diffusion(std::string_view name);

// Whose name it begins with, whatever the form behind it; nullptr: none.
[[nodiscard]] const DiffusionInfo* diffusion_model(std::string_view name);
[[nodiscard]] bool is_diffusion(std::string_view name);
// A whole model, which makes a picture of a prompt, and not its denoiser alone.
[[nodiscard]] bool reads_prompts(std::string_view name);

}  // namespace rightsize
