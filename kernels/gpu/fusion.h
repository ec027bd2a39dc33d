// What becomes one operation. A ReLU that alone reads a convolution, a linear layer, a
// normalisation or a sum is part of it; a sum of two, of which it alone reads one and that one is a
// normalisation, is part of the normalisation; dropout vanishes at inference. Free of CUDA.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/network.h"
#include "kernels/workload.h"

namespace rightsize::gpu {

// One operation. It stands where its last layer stands, so all its inputs are there.
struct Node {
  std::size_t layer = 0;    // the layer whose kind and parameters it has
  std::vector<int> inputs;  // earlier nodes; for a normalisation the second is the addend
  bool relu = false;        // ends in a ReLU
};

struct Plan {
  std::vector<Node> nodes;   // in execution order; nodes[0] is the input
  std::vector<int> node_of;  // layer -> the node that makes its output
};

[[nodiscard]] Plan plan_nodes(const Network& network, Phase phase);

}  // namespace rightsize::gpu
