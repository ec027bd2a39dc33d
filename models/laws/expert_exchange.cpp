#include "models/laws/expert_exchange.h"

#include <algorithm>
#include <cmath>

namespace rightsize {

double routed_elements(const Network& network, const Block& block) {
  double elements = 0;
  for (std::size_t i = block.first; i < block.end; ++i) {
    const auto& layer = network.layers[i];
    if (layer.kind == LayerKind::experts) {
      const auto& in = network.layers[static_cast<std::size_t>(layer.inputs.at(0))].out;
      elements += static_cast<double>(layer.out.positions() * layer.experts_per_token * in.c);
    }
  }
  return elements;
}

int experts_per_token(const Network& network, const Block& block) {
  std::int64_t most = 1;
  for (std::size_t i = block.first; i < block.end; ++i) {
    const auto& layer = network.layers[i];
    most = layer.kind == LayerKind::experts ? std::max(most, layer.experts_per_token) : most;
  }
  return static_cast<int>(most);
}

bool has_experts_alone(const Network& network, const Block& block) {
  const auto in_block = [&](auto of) {
    for (std::size_t i = block.first; i < block.end; ++i) {
      if (of(i, network.layers[i])) {
        return i;
      }
    }
    return block.end;
  };
  const auto mixture =
      in_block([](std::size_t, const Layer& layer) { return layer.kind == LayerKind::experts; });
  if (mixture == block.end) {
    return false;
  }
  // What the router reads, all do: itself, the layer that narrows for the experts, and whichever
  // belongs to a part beside them.
  const auto into = static_cast<std::size_t>(network.layers[mixture].inputs.at(0));
  const auto router = static_cast<std::size_t>(network.layers[mixture].inputs.at(1));
  const int read = network.layers[router].inputs.at(0);
  return in_block([&](std::size_t i, const Layer& layer) {
           return i != router && i != into && layer.kind == LayerKind::linear &&
                  layer.inputs.at(0) == read;
         }) == block.end;
}

bool divides_experts(const Network& network, const Cluster& cluster, int ranks) {
  const bool evenly =
      std::all_of(network.layers.begin(), network.layers.end(), [&](const Layer& layer) {
        return layer.kind != LayerKind::experts || layer.experts % ranks == 0;
      });
  const int node = cluster.gpus_per_node;
  return evenly && ranks >= 1 && cluster.ranks() % ranks == 0 &&
         (node % ranks == 0 || ranks % node == 0);
}

double all_to_all_seconds(
    const ExchangeLaw& law, const Cluster& cluster, int ranks, double bytes, int copies) {
  const auto& links = cluster.interconnect;
  const int near = std::min(ranks, cluster.gpus_per_node);
  const double nodes = 1.0 * ranks / near;
  const double inside = bytes * (near - 1) / near;
  const double beyond = bytes / copies * (nodes - 1) * (1 - std::pow(1 - 1 / nodes, copies));
  // Through the host all GPUs of the node at once, each byte in and out.
  const double host_s = 2.0 * cluster.gpus_per_node * inside /
                        (law.host_copy_bytes_per_s * links.host_speed) * law.ring_through_host;
  const double node_s = std::max(inside / bytes_per_s_among(links, near),
                                 links.link == NodeLink::host ? host_s : 0.0);
  const double line_s = beyond > 0 ? beyond * cluster.gpus_per_node / links.fabric_bytes_per_s : 0;
  const double latency_s =
      (inside > 0 ? links.link_latency_s : 0) + (beyond > 0 ? links.fabric_latency_s : 0);
  return std::max(node_s, line_s) + latency_s;
}

double expert_gather_seconds(const ExchangeLaw& law,
                             const Cluster& cluster,
                             const ExpertSharing& sharing,
                             double bytes) {
  const int groups = cluster.ranks() / sharing.ranks;
  const int near = std::max(1, cluster.gpus_per_node / sharing.ranks);
  const double own = bytes / sharing.ranks;
  const Cluster within{near, 1, cluster.interconnect};
  const Cluster between{1, groups / near, cluster.interconnect};
  // A node's line carries what all that are no neighbours of a group have.
  const double at_once = 1.0 * cluster.gpus_per_node / near;
  return gather_seconds(law, within, own) + gather_seconds(law, between, own * at_once);
}

}  // namespace rightsize
