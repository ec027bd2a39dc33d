// How a picture is made, as it stands behind a model's name.
#pragma once

#include <string>
#include <string_view>

#include "kernels/networks/diffusion/diffusion.h"

namespace rightsize {

// Of "sdxl:steps=20:size=768x512"; `info` is of what stands in front. Throws NetworkError for a
// part that is none, cannot be or is said twice.
[[nodiscard]] PictureForm read_picture_form(std::string_view name, const DiffusionInfo& info);

// "Stable Diffusion XL, 20 steps at 768x512".
[[nodiscard]] std::string picture_title(const DiffusionInfo& info, const PictureForm& form);

}  // namespace rightsize
