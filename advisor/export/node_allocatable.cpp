#include "advisor/export/node_allocatable.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/gibibyte.h"
#include "pricing/mebibyte.h"

namespace rightsize {
namespace {

struct Step {
  double up_to;  // GiB or vCPUs
  double share;  // kept by the node of what lies below
};

constexpr std::array memory_kept{
    Step{4, 0.25}, Step{8, 0.20}, Step{16, 0.10}, Step{128, 0.06}, Step{1e9, 0.02}};
constexpr std::array cpu_kept{Step{1, 0.06}, Step{2, 0.01}, Step{4, 0.005}, Step{1e9, 0.0025}};
constexpr double daemons_vcpus = 0.25;  // assumed: log and metric agents, the GPU's device plugin
constexpr double daemons_mib = 512;     // assumed, likewise
constexpr double eviction_mib = 100;    // GKE's and Karpenter's alike

// Of a machine's memory, what its kernel leaves: n2-highmem-4, -16 and -64 report 0.980, 0.983 and
// 0.984 of theirs (2i2c-org/infrastructure, 2121).
constexpr double seen_share = 0.98;

// Of AWS's machines Karpenter takes 0.075 to be gone (aws/karpenter-provider-aws, 7929); a fleet's
// were found to lack 0.017 to 0.053 (pytorch/ci-infra, 910). Where Karpenter makes the nodes, what
// asks for more than it reckons with is never placed.
constexpr double seen_share_of_aws = 1 - 0.075;

// EKS keeps 255 MiB and 11 for every Pod that the machine's addresses allow: the most for so many
// vCPUs of awslabs/amazon-eks-ami's eni-max-pods.txt, but for the eighth generation, which has no
// GPUs. Karpenter counts system-reserved's 100 MiB beside.
struct PodCount {
  double up_to_vcpus;
  int most;
};
constexpr std::array eks_pods{PodCount{8, 58}, PodCount{32, 234}, PodCount{1e9, 737}};
constexpr double eks_agents_mib = 255;
constexpr double eks_pod_mib = 11;
constexpr double eks_system_mib = 100;

// AKS keeps 20 MB for each of at most 250 Pods and 50 MB, but no more than a quarter; before 1.29
// it kept what GKE does and evicted sooner
// (learn.microsoft.com/azure/aks/node-resource-reservations).
constexpr double aks_most_mib = (20.0 * 250 + 50) * 1e6 / bytes_per_mib;
constexpr double aks_most_share = 0.25;

template <std::size_t size>
double kept(const std::array<Step, size>& steps, double whole) {
  double sum = 0;
  double from = 0;
  for (const auto& step : steps) {
    sum += step.share * std::max(0.0, std::min(whole, step.up_to) - from);
    from = step.up_to;
  }
  return sum;
}

// GCE's machines that share a core are seen as two vCPUs, of which GKE keeps 1060 thousandths,
// whatever share is paid for.
bool shares_a_core(const Option& option) {
  constexpr std::array names{"e2-micro", "e2-small", "e2-medium"};
  return std::find(names.begin(), names.end(), option.instance) != names.end();
}

double left_by_gke_mib(double gib) {
  return mib_per_gib * (gib - kept(memory_kept, gib));
}

double left_by_aks_mib(double gib) {
  const double mib = mib_per_gib * gib;
  return std::min(left_by_gke_mib(gib), mib - std::min(aks_most_mib, aks_most_share * mib));
}

double left_by_eks_mib(double gib, double vcpus) {
  const auto pods = std::find_if(eks_pods.begin(), eks_pods.end(), [&](const PodCount& count) {
    return vcpus <= count.up_to_vcpus;
  });
  return mib_per_gib * gib - eks_agents_mib - eks_pod_mib * pods->most - eks_system_mib;
}

double left_mib(const Option& option) {
  const double gib = option.memory_gib;
  return option.provider == "aws"     ? left_by_eks_mib(seen_share_of_aws * gib, option.vcpus)
         : option.provider == "azure" ? left_by_aks_mib(seen_share * gib)
                                      : left_by_gke_mib(seen_share * gib);
}

}  // namespace

int allocatable_millicpus(const Option& option) {
  const double allocatable =
      shares_a_core(option) ? 2 - 1.06 : option.vcpus - kept(cpu_kept, option.vcpus);
  return static_cast<int>(std::floor(1000 * (allocatable - daemons_vcpus)));
}

int allocatable_mib(const Option& option) {
  return static_cast<int>(std::floor(left_mib(option) - eviction_mib - daemons_mib));
}

}  // namespace rightsize
