// What a batch normalisation has learned, whether it runs by itself or as the end of a convolution.
#pragma once

#include "kernels/cpu/parameters.h"
#include "kernels/layer.h"

namespace rightsize::cpu {

struct NormParameters {
  Parameter scale;
  Parameter shift;
  Tensor mean;  // running statistics
  Tensor variance;
};

// Adds "<layer>.scale", ".shift", ".mean" and ".variance".
[[nodiscard]] NormParameters add_norm_parameters(Parameters& parameters,
                                                 Lowering& lowering,
                                                 const Layer& layer);

}  // namespace rightsize::cpu
