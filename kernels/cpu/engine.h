// The CPU engine: a network on oneDNN with OpenMP. Free of oneDNN's headers.
#pragma once

#include <memory>

#include "kernels/engine.h"

namespace rightsize {

// Train: forward, backward and the network's optimizer (SGD with momentum, or AdamW). Infer:
// forward with the loss. Decode: one token per item against a key-value cache; position starts at
// the prompt and goes back to it when the sequence is full.
// FP32, or BF16 (from AVX-512 on): activations and their gradients at 16 bits, and weights as the
// kernels read them; when training, parameters, their gradients and the loss stay FP32. Layers of
// sequences train in FP32 alone. Allocates and initialises everything here: step() allocates
// nothing. Throws OutOfMemory when the batch does not fit, EngineError for what is unsupported.
[[nodiscard]] std::unique_ptr<Engine> make_cpu_engine(const Network& network,
                                                      const EngineOptions& options);

// What of it is known without building anything. Throws EngineError.
void check_cpu_engine(const Network& network, const EngineOptions& options);

}  // namespace rightsize
