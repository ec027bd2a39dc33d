// Google's TPUs, which SkyPilot and GKE know by the slice that a machine has.
#pragma once

#include <string>

#include "advisor/recommendation.h"

namespace rightsize {

// Whether the option's machine has TPUs.
[[nodiscard]] bool has_tpus(const Option& option);

// "tpu-v6e-8": that of all the machine's chips, as the TPU API and SkyPilot's catalogue call it.
// v4's and v5p's count TensorCores, two of each chip.
[[nodiscard]] std::string tpu_slice(const Option& option);

// Lines of a nodeSelector: GKE places a Pod that asks for google.com/tpu by the kind of its slices
// and their topology (cloud.google.com/kubernetes-engine/docs/concepts/plan-tpus). Empty of GPUs.
[[nodiscard]] std::string tpu_node_labels(const Option& option);

}  // namespace rightsize
