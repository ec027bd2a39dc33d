// Matrices that lie in memory in fewer bits than their products are made with, where nothing is
// trained: weight-only quantization, as bitsandbytes, torchao, Quanto and GGUF have it, widens them
// before each product (Layer::weight_bits); with precision fp8 the products of a denoiser are of
// numbers in 8 bits, and so are the matrices.
#pragma once

#include <vector>

#include "kernels/network.h"
#include "kernels/workload.h"

namespace rightsize {

// Whether any matrix is widened before it is multiplied with.
[[nodiscard]] bool widens_weights(const Network& network);

// Of one parameter in so many bits, with the scale of its group: of four bits 32 more for each 64
// of them (bitsandbytes' NF4, GGUF's Q4_0); of eight, for each row.
[[nodiscard]] double bytes_of_weight(std::int64_t bits);

// Bytes of a parameter of each layer in a phase without a backward pass.
[[nodiscard]] std::vector<double> kept_bytes_per_parameter(const Network& network,
                                                           Precision precision);

// The largest matrix that is widened, as wide as `precision` has it; 0 where none is.
[[nodiscard]] double largest_widened_bytes(const Network& network, Precision precision);

}  // namespace rightsize
