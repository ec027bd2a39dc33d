// The gate of a feed-forward part (Shazeer, "GLU Variants Improve Transformer", 2020): of the two
// halves of a position's features one goes through what the other makes, {2 f} -> {f}.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/cpu/bf16.h"
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {

// Of one position with `width` features behind the gate.
struct GateKernels {
  void (*forward)(const float* in, float* out, std::int64_t width);
  void (*forward_bf16)(const Bf16* in, Bf16* out, std::int64_t width);
  // Both halves' gradients of the output's.
  void (*backward)(const float* in, const float* gradient, float* out, std::int64_t width);
};

[[nodiscard]] std::unique_ptr<Operation> make_gated(const OperationContext& context,
                                                    const GateKernels& kernels);

}  // namespace rightsize::cpu
