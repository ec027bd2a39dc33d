#include "kernels/networks/diffusion/diffusion.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "kernels/network_error.h"
#include "kernels/networks/diffusion/models.h"

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
};

[[noreturn]] void refuse(std::string_view name, const std::string& why) {
  throw NetworkError(fmt::format("network {}: {}", name, why));
}

// A whole number of at most `most`; 0: none.
int number_in(std::string_view text, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value > 0 && value <= most ? value : 0;
}

// "768" or "768x512", width first.
void read_size(PictureForm& form,
               std::string_view name,
               std::string_view text,
               const DiffusionInfo& info) {
  constexpr int most = 8192;
  const auto cross = text.find('x');
  form.width = number_in(text.substr(0, cross), most);
  form.height =
      cross == std::string_view::npos ? form.width : number_in(text.substr(cross + 1), most);
  if (form.width == 0 || form.height == 0 || form.width % info.side_of != 0 ||
      form.height % info.side_of != 0) {
    refuse(name,
           fmt::format("size={}: expected pixels, as in size={}x{}, each a multiple of {} and at "
                       "most {}",
                       text,
                       info.usual.width,
                       info.usual.height,
                       info.side_of,
                       most));
  }
}

void read_part(PictureForm& form,
               std::string_view name,
               std::string_view part,
               const DiffusionInfo& info) {
  const auto equals = part.find('=');
  const auto key = part.substr(0, equals);
  const auto value = equals == std::string_view::npos ? "" : part.substr(equals + 1);
  if (key == "size") {
    return read_size(form, name, value, info);
  }
  if (key == "steps" && !info.denoiser_alone) {
    constexpr int most = 1000;
    form.steps = number_in(value, most);
    return form.steps > 0 ? void()
                          : refuse(name, fmt::format("steps={}: expected 1 to {}", value, most));
  }
  if (key == "guidance" && !info.denoiser_alone) {
    form.guidance = value == "yes";
    return form.guidance || value == "no"
               ? void()
               : refuse(name, fmt::format("guidance={}: expected yes or no", value));
  }
  refuse(
      name,
      info.denoiser_alone
          ? fmt::format("\"{}\": a denoiser alone has :size=WIDTHxHEIGHT", part)
          : fmt::format("\"{}\": expected :steps=N, :size=WIDTHxHEIGHT or :guidance=yes|no", part));
}

std::string titled(const DiffusionInfo& info, const PictureForm& form) {
  const auto size = fmt::format("{}x{}", form.width, form.height);
  return info.denoiser_alone ? fmt::format("{}, {}", info.title, size)
                             : fmt::format("{}, {} step{} at {}{}",
                                           info.title,
                                           form.steps,
                                           form.steps == 1 ? "" : "s",
                                           size,
                                           form.guidance == info.usual.guidance ? ""
                                           : form.guidance                      ? ", with guidance"
                                                           : ", without guidance");
}

Network made(const DiffusionInfo& info, const std::string& name, const PictureForm& form) {
  const auto make = info.denoiser_alone ? make_alone : make_whole;
  return make(*info.model, name, titled(info, form), form);
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

std::optional<Network> make_diffusion(std::string_view name) {
  const auto base = without_form(name);
  const auto* const info = diffusion_model(name);
  if (info == nullptr) {
    return std::nullopt;
  }
  auto form = info->usual;
  for (auto rest = name.substr(base.size()); !rest.empty();) {
    rest.remove_prefix(1);  // the colon
    const auto part = rest.substr(0, rest.find(':'));
    read_part(form, name, part, *info);
    rest.remove_prefix(part.size());
  }
  return made(*info, std::string(name), form);
}

}  // namespace rightsize
