// What a network with adapters (Network::adapters) trains and holds, as arithmetic on its layers.
// The adapters' own products are no part of layer_work(); models/laws/gpu_kernels counts them.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/network.h"
#include "kernels/workload.h"

namespace rightsize {

// One pair of matrices.
struct AdapterShape {
  std::int64_t in = 0;
  std::int64_t out = 0;
};

// Of each layer of the network; empty where it has none.
[[nodiscard]] std::vector<std::vector<AdapterShape>> adapter_shapes(const Network& network);

// What is trained of each layer: its adapters' parameters, or all where the network has none.
[[nodiscard]] std::vector<std::uint64_t> trained_parameters(const Network& network);

// NormalFloat of 4 bits, a scale of 8 bits for each 64 values and one of 32 for each 256 scales
// (Dettmers et al., section 3: 0.127 bits a value).
inline constexpr double narrow_bytes_per_parameter = 4.127 / 8;

// Bytes of one frozen parameter of each layer: those of `precision`, or 4 bits in the blocks'
// matrices and FP32 in all else (PEFT's prepare_model_for_kbit_training).
[[nodiscard]] std::vector<double> frozen_bytes_per_parameter(const Network& network,
                                                             Precision precision);

// Device memory of what is no activation: the frozen parameters, and of the adapters masters,
// gradients, the optimizer's moments and the copy that kernels read. With `ranks` above 1 these
// are shared, and two blocks' frozen parameters are gathered (network_blocks.h).
[[nodiscard]] std::uint64_t adapted_parameter_bytes(const Network& network,
                                                    Phase phase,
                                                    Precision precision,
                                                    int ranks = 1);

// The largest matrix that is widened before it is multiplied with, in bytes; 0 where none is.
[[nodiscard]] std::uint64_t widened_matrix_bytes(const Network& network, Precision precision);

}  // namespace rightsize
