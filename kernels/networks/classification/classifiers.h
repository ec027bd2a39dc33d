// Classifiers of images beside the first ones (built_in.cpp), which the table of built-in networks
// has too: those that timm's users ask for.
#pragma once

#include <span>

#include "kernels/network.h"

namespace rightsize {

[[nodiscard]] std::span<const NetworkInfo> image_classifiers();
[[nodiscard]] std::span<const NetworkInfo> further_image_classifiers();

}  // namespace rightsize
