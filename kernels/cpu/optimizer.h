// The updates of a training step, fused over all parameters: one parallel region, every value read
// and written once.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/cpu/parameters.h"

namespace rightsize::cpu {

struct UpdateOptions {
  float rate = 0;
  float decay = 0;     // of parameters that decay
  float momentum = 0;  // sgd
  float beta1 = 0;     // adam: of the mean of gradients
  float beta2 = 0;     // adam: of the mean of their squares
  float epsilon = 0;   // adam
};

// v = momentum v + (g + decay w); w = w - rate v (Sutskever et al., ICML 2013).
void sgd(std::span<const Parameter> parameters, const UpdateOptions& options);

// AdamW (Loshchilov and Hutter, ICLR 2019, algorithm 2): m and v are running means of g and g^2,
// w = w - rate (m^ / (sqrt(v^) + epsilon) + decay w), where m^ = m / (1 - beta1^t) and v^ likewise
// at step t = 1, 2, …; the rate is also the schedule's factor on the decay.
void adam(std::span<const Parameter> parameters, const UpdateOptions& options, std::uint64_t t);

}  // namespace rightsize::cpu
