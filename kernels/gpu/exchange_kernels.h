// Our own kernels that pack gradients for other ranks: the codes of
// kernels/parallel/compressed_exchange.h, 16 of two bits to a word. As in kernels.h.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/gpu/element.h"

namespace rightsize::gpu {

[[nodiscard]] constexpr std::int64_t code_words(std::int64_t count) {
  return (count + 15) / 16;
}

// Adds the gradient to `residual`, writes the codes of what is sent and keeps the rest in
// `residual` (FP32; zeros at first). Gradients must be finite: a residual would keep what is not.
void launch_compress(const void* gradient,
                     float* residual,
                     std::uint32_t* codes,
                     ElementType type,
                     std::int64_t count,
                     float threshold,
                     cudaStream_t stream);

// gradient = the mean of what all ranks' codes stand for; `codes` holds code_words(count) words of
// each rank, one rank after the other, added in that order.
void launch_decompress_mean(const std::uint32_t* codes,
                            int ranks,
                            void* gradient,
                            ElementType type,
                            std::int64_t count,
                            float threshold,
                            cudaStream_t stream);

}  // namespace rightsize::gpu
