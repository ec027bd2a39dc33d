// Which layers disappear into the one before them. A ReLU that alone reads a convolution, a linear
// layer, a normalisation or a sum becomes part of it; dropout vanishes at inference.
#pragma once

#include <vector>

#include "kernels/network.h"
#include "kernels/workload.h"

namespace rightsize::cpu {

struct Fusion {
  std::vector<int> value;  // layer -> the layer whose operation makes its output (often itself)
  std::vector<bool> relu;  // layer -> its operation ends in a ReLU
};

[[nodiscard]] Fusion plan_fusion(const Network& network, Phase phase);

}  // namespace rightsize::cpu
