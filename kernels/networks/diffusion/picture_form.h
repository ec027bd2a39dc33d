// How a picture is made, as it stands behind a model's name.
#pragma once

#include <string>
#include <string_view>

#include "kernels/networks/diffusion/diffusion.h"

namespace rightsize {

// Of "sdxl:steps=20:size=768x512"; `info` is of what stands in front. Throws NetworkError for a
// part that is none, cannot be or is said twice.
[[nodiscard]] PictureForm read_picture_form(std::string_view name, const DiffusionInfo& info);

// What a form may say of matrices in memory: "int8". Of other 4 bits than bitsandbytes' NF4 nothing
// can be told: published times of the same picture are 6 to 109 s
// (calibration/pictures_quantized.csv).
[[nodiscard]] bool is_weight_format(std::string_view text);
inline constexpr std::string_view weight_grammar = "fp8, int8 or nf4";

// "Stable Diffusion XL, 20 steps at 768x512".
[[nodiscard]] std::string picture_title(const DiffusionInfo& info, const PictureForm& form);

}  // namespace rightsize
