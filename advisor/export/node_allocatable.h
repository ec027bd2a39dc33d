// What a node of a Kubernetes cluster gives away to the Pods that are asked for, beside its own
// agents. A node keeps some of its CPUs, and some of what the kernel leaves of its memory; how much
// is GKE's published rule (cloud.google.com/kubernetes-engine/docs/concepts/plan-node-sizes), also
// of clouds that publish none. Of memory EKS and AKS have rules of their own.
#pragma once

#include "advisor/recommendation.h"

namespace rightsize {

// Thousandths of a vCPU; 0 or less where the machine is too small for a node.
[[nodiscard]] int allocatable_millicpus(const Option& option);

// MiB, likewise.
[[nodiscard]] int allocatable_mib(const Option& option);

}  // namespace rightsize
