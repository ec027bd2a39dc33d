// cuDNN's tensor descriptor in the stand-in library.
#pragma once

#include <array>

#include <cudnn.h>

#include "kernels/gpu/emulated_plugin/values.h"

struct cudnnTensorStruct {
  std::array<int, 3> sizes{};
};

namespace rightsize::emulation {

[[nodiscard]] inline Width width_of(cudnnDataType_t type) {
  return type == CUDNN_DATA_HALF ? Width::f16
                                 : (type == CUDNN_DATA_BFLOAT16 ? Width::bf16 : Width::f32);
}

}  // namespace rightsize::emulation
