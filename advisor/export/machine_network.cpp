#include "advisor/export/machine_network.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "advisor/query/job_defaults.h"

namespace rightsize {
namespace {

struct Interfaces {
  std::string_view instance;
  int count;
};

// Types with more than one, of those in network.csv: vpc.amazonaws.com/efa in
// aws/karpenter-provider-aws website/content/en/docs/reference/instance-types.md @1d927085, which
// is made from EC2's own DescribeInstanceTypes. Pages of 2 MiB: docs.aws.amazon.com/eks/latest/
// userguide/node-efa.html.
constexpr std::array several{Interfaces{"g6e.24xlarge", 2},
                             Interfaces{"g6e.48xlarge", 4},
                             Interfaces{"g7e.24xlarge", 2},
                             Interfaces{"g7e.48xlarge", 4},
                             Interfaces{"p4d.24xlarge", 4},
                             Interfaces{"p4de.24xlarge", 4},
                             Interfaces{"p5.48xlarge", 32},
                             Interfaces{"p5e.48xlarge", 32},
                             Interfaces{"p5en.48xlarge", 16},
                             Interfaces{"p6-b200.48xlarge", 8},
                             Interfaces{"p6-b300.48xlarge", 16}};

// Ethernet also where the machines exchange nothing.
Fabric fabric_between(const Query& query, const Option& option) {
  const bool exchange = option.nodes > 1 && has_backward(query.phase);
  return exchange ? *network_of_job(query.network_between, option.network).fabric
                  : Fabric::ethernet;
}

}  // namespace

bool counts_on_fabric(const Query& query, const Option& option) {
  return fabric_between(query, option) != Fabric::ethernet;
}

int efa_interfaces(const Query& query, const Option& option) {
  const bool sold = network_of_job({}, option.network).fabric == Fabric::efa;
  if (!sold || fabric_between(query, option) != Fabric::efa) {
    return 0;
  }
  const auto* const known = std::find_if(several.begin(), several.end(), [&](const auto& row) {
    return row.instance == option.instance;
  });
  return known == several.end() ? 1 : known->count;
}

std::string fabric_words(const Query& query, const Option& option) {
  if (!counts_on_fabric(query, option)) {
    return "";
  }
  const auto network = network_of_job(query.network_between, option.network);
  return fmt::format(
      "The time counts on {}{} between the machines",
      to_string(*network.fabric),
      network.fabric_gbit_per_s > 0 ? fmt::format(" {:g} Gb/s", network.fabric_gbit_per_s) : "");
}

// GKE: the manifests in GoogleCloudPlatform/container-engine-accelerators, gpudirect-tcpx and
// gpudirect-tcpxo. AKS: azure.github.io/aks-rdma-infiniband.
std::string fabric_of_pods(const Query& query, const Option& option) {
  if (efa_interfaces(query, option) > 0) {
    return "nodes made with EFA (eksctl: efaEnabled) and its device plugin; in the image libfabric "
           "and aws-ofi-nccl";
  }
  if (fabric_between(query, option) == Fabric::tcpx) {
    return "the annotation networking.gke.io/interfaces and the daemon beside the container that "
           "GKE's how-to on GPUDirect shows";
  }
  return option.provider == "azure"
             ? "NVIDIA's network operator on the nodes (azure.github.io/aks-rdma-infiniband), and "
               "its resource in requests and limits by the name it has there, such as rdma/ib"
             : "the resource of the cluster's RDMA device plugin in requests and limits, by the "
               "name it has there, such as rdma/ib";
}

// https://docs.skypilot.co/en/latest/reference/yaml-spec.html, resources.network_tier, names GCP
// and Nebius; of AWS skypilot-org/skypilot's own tests (of sky/clouds/aws.py) call it EFA.
bool set_up_by_skypilot(const Query& query, const Option& option) {
  switch (fabric_between(query, option)) {
    case Fabric::efa:
      return option.provider == "aws";
    case Fabric::tcpx:
      return option.provider == "gcp";
    case Fabric::infiniband:
      return option.provider == "nebius";
    case Fabric::roce:
    case Fabric::ethernet:
      break;
  }
  return false;
}

}  // namespace rightsize
