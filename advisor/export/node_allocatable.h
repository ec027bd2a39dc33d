// What a node of a Kubernetes cluster gives away to the Pods that are asked for, beside its own
// agents. A node keeps some of its memory and CPUs; how much is GKE's published rule
// (cloud.google.com/kubernetes-engine/docs/concepts/plan-node-sizes), taken for every cloud because
// it is the most cautious of those published.
#pragma once

#include "advisor/recommendation.h"

namespace rightsize {

// Thousandths of a vCPU; 0 or less where the machine is too small for a node.
[[nodiscard]] int allocatable_millicpus(const Option& option);

// MiB, of a node with so many GiB; likewise.
[[nodiscard]] int allocatable_mib(double gib);

}  // namespace rightsize
