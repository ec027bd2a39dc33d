#include "kernels/networks/diffusion/diffusion.h"

#include <algorithm>
#include <array>

#include "kernels/networks/diffusion/models.h"
#include "kernels/networks/diffusion/picture_form.h"

namespace rightsize {
namespace {

constexpr std::string_view latent_paper = "Rombach et al., CVPR 2022";
constexpr std::string_view sdxl_paper = "Podell et al., SDXL, 2023";
constexpr std::string_view sd3_paper = "Esser et al., 2024, diffusers";
constexpr std::string_view flux_source = "Black Forest Labs, 2024, diffusers";

constexpr PictureForm guided(int steps, int side) {
  return {steps, side, side, true};
}
constexpr PictureForm distilled(int steps, int side) {
  return {steps, side, side, false};
}
// Latents of a picture, once.
constexpr PictureForm once(int side) {
  return {1, side, side, false};
}

constexpr std::string_view wan_paper = "Wan Team, Wan, 2025, diffusers";
constexpr std::string_view ltx_paper = "HaCohen et al., LTX-Video, 2024, diffusers";
constexpr int of_patches = 16;

using namespace diffusion;

constexpr std::array models{
    DiffusionInfo{"sd-1.5", "Stable Diffusion 1.5", latent_paper, &sd1, guided(50, 512)},
    DiffusionInfo{"sd-2.1", "Stable Diffusion 2.1", latent_paper, &sd2, guided(50, 768)},
    DiffusionInfo{
        "sdxl", "Stable Diffusion XL", sdxl_paper, &sdxl, guided(50, 1024), of_patches * 2},
    DiffusionInfo{"sd3-medium",
                  "Stable Diffusion 3 medium",
                  sd3_paper,
                  &sd3_of_medium,
                  guided(28, 1024),
                  of_patches},
    DiffusionInfo{"sd3.5-large",
                  "Stable Diffusion 3.5 large",
                  sd3_paper,
                  &sd35_of_large,
                  guided(28, 1024),
                  of_patches},
    DiffusionInfo{"sd3.5-medium",
                  "Stable Diffusion 3.5 medium",
                  sd3_paper,
                  &sd35_of_medium,
                  guided(28, 1024),
                  of_patches},
    DiffusionInfo{
        "flux-dev", "FLUX.1 dev", flux_source, &flux_dev, distilled(28, 1024), of_patches},
    DiffusionInfo{"flux-schnell",
                  "FLUX.1 schnell",
                  flux_source,
                  &flux_schnell,
                  distilled(4, 1024),
                  of_patches},
    DiffusionInfo{
        "sd-1.5-denoiser", "Stable Diffusion 1.5, U-Net", latent_paper, &sd1, once(512), 64, true},
    DiffusionInfo{
        "sd-2.1-denoiser", "Stable Diffusion 2.1, U-Net", latent_paper, &sd2, once(768), 64, true},
    DiffusionInfo{"sdxl-denoiser",
                  "Stable Diffusion XL, U-Net",
                  sdxl_paper,
                  &sdxl,
                  once(1024),
                  of_patches * 2,
                  true},
    DiffusionInfo{"sd3-medium-denoiser",
                  "Stable Diffusion 3 medium, transformer",
                  sd3_paper,
                  &sd3_of_medium,
                  once(1024),
                  of_patches,
                  true},
    DiffusionInfo{"sd3.5-large-denoiser",
                  "Stable Diffusion 3.5 large, transformer",
                  sd3_paper,
                  &sd35_of_large,
                  once(1024),
                  of_patches,
                  true},
    DiffusionInfo{"flux-dev-denoiser",
                  "FLUX.1 dev, transformer",
                  flux_source,
                  &flux_dev,
                  once(1024),
                  of_patches,
                  true},
    DiffusionInfo{"flux-schnell-denoiser",
                  "FLUX.1 schnell, transformer",
                  flux_source,
                  &flux_schnell,
                  once(1024),
                  of_patches,
                  true},
    DiffusionInfo{"sd3.5-medium-denoiser",
                  "Stable Diffusion 3.5 medium, transformer",
                  sd3_paper,
                  &sd35_of_medium,
                  once(1024),
                  of_patches,
                  true},
    DiffusionInfo{"flux2-dev-denoiser",
                  "FLUX.2 dev, transformer",
                  "Black Forest Labs, 2025, diffusers",
                  &flux2_dev,
                  once(1024),
                  of_patches,
                  true},
    DiffusionInfo{"wan2.1-t2v-1.3b-denoiser",
                  "Wan 2.1 T2V 1.3B, transformer, 81 frames",
                  wan_paper,
                  &wan_of_1b,
                  {1, 832, 480, false},
                  of_patches,
                  true},
    DiffusionInfo{"wan2.1-t2v-14b-denoiser",
                  "Wan 2.1 T2V 14B, transformer, 81 frames",
                  wan_paper,
                  &wan_of_14b,
                  {1, 832, 480, false},
                  of_patches,
                  true},
    DiffusionInfo{"wan2.2-ti2v-5b-denoiser",
                  "Wan 2.2 TI2V 5B, transformer, 121 frames",
                  wan_paper,
                  &wan_of_5b,
                  {1, 1280, 704, false},
                  of_patches * 2,
                  true},
    DiffusionInfo{"qwen-image-denoiser",
                  "Qwen-Image, transformer",
                  "Wu et al., Qwen-Image, 2025, diffusers",
                  &qwen_image_model,
                  once(1328),
                  of_patches,
                  true},
    DiffusionInfo{"z-image-denoiser",
                  "Z-Image, transformer",
                  "Z-Image Team, Z-Image, 2025, diffusers",
                  &z_image_model,
                  once(1024),
                  of_patches,
                  true},
    DiffusionInfo{"hunyuanvideo-denoiser",
                  "HunyuanVideo, transformer, 129 frames",
                  "Kong et al., HunyuanVideo, 2024, diffusers",
                  &hunyuan_video_model,
                  {1, 1280, 720, false},
                  of_patches,
                  true},
    DiffusionInfo{"ltx-video-2b-denoiser",
                  "LTX-Video 2B, transformer, 121 frames",
                  ltx_paper,
                  &ltx_of_2b,
                  {1, 704, 512, false},
                  of_patches * 2,
                  true},
    DiffusionInfo{"ltx-video-13b-denoiser",
                  "LTX-Video 13B, transformer, 121 frames",
                  ltx_paper,
                  &ltx_of_13b,
                  {1, 704, 512, false},
                  of_patches * 2,
                  true},
};

Network made(const DiffusionInfo& info, const std::string& name, const PictureForm& form) {
  const auto make = info.denoiser_alone ? make_alone : make_whole;
  return make(*info.model, name, picture_title(info, form), form);
}

}  // namespace

std::span<const DiffusionInfo> diffusion_models() {
  return models;
}

Network usual_picture(const DiffusionInfo& info) {
  return made(info, std::string(info.name), info.usual);
}

const DiffusionInfo* diffusion_model(std::string_view name) {
  const auto* const found = std::find_if(models.begin(), models.end(), [&](const auto& one) {
    return one.name == without_form(name);
  });
  return found == models.end() ? nullptr : found;
}

bool is_diffusion(std::string_view name) {
  return diffusion_model(name) != nullptr;
}

bool reads_prompts(std::string_view name) {
  const auto* const model = diffusion_model(name);
  return model != nullptr && !model->denoiser_alone;
}

std::optional<Network> make_diffusion(std::string_view name) {
  const auto* const info = diffusion_model(name);
  if (info == nullptr) {
    return std::nullopt;
  }
  return made(*info, std::string(name), read_picture_form(name, *info));
}

}  // namespace rightsize
