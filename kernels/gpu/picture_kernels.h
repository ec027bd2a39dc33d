// Our own kernel that preprocesses pictures on the GPU. As in kernels.h.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/gpu/element.h"
#include "kernels/pictures.h"

namespace rightsize::gpu {

// One picture per item, all on the device, to n x h x w x c normalised values: ImageNet's means and
// deviations for three channels, MNIST's for one.
void launch_pictures(const Picture* pictures,
                     const std::uint8_t* pixels,
                     void* out,
                     ElementType type,
                     const TensorShape& shape,
                     cudaStream_t stream);

}  // namespace rightsize::gpu
