// The makers behind the table of diffusion.cpp.
#pragma once

#include "kernels/networks/diffusion/diffusion.h"

namespace rightsize::diffusion {

using Maker = Network(const std::string& name, const std::string& title, const PictureForm& form);

Maker make_sd1, make_sd2, make_sdxl, make_sd3_medium, make_sd35_large, make_flux_dev,
    make_flux_schnell;
Maker make_sd1_denoiser, make_sd2_denoiser, make_sdxl_denoiser, make_sd3_medium_denoiser,
    make_sd35_large_denoiser, make_flux_dev_denoiser, make_flux_schnell_denoiser;

}  // namespace rightsize::diffusion
