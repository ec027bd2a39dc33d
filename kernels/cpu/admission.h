// What a network cannot be run for, told before anything is built.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

#include "kernels/engine.h"

namespace rightsize::cpu {

// Of activations. Throws EngineError for a precision that this network, phase or CPU does not have.
[[nodiscard]] dnnl::memory::data_type activation_type(const Network& network,
                                                      const EngineOptions& options);

// Pictures are made and not learned from: what is trained is the denoiser alone.
void check_passes(const Network& network, Phase phase);
// Likewise for several texts that are written side by side.
void check_beams(const Network& network);

}  // namespace rightsize::cpu
