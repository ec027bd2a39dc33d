#include "models/laws/exchange.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <boost/math/special_functions/erf.hpp>

#include "kernels/adapter_work.h"
#include "kernels/work.h"

namespace rightsize {
namespace {

// Seconds within one node of `gpus`.
double node_seconds(
    const ExchangeLaw& law, const Interconnect& links, int gpus, Exchange exchange, double bytes) {
  if (gpus <= 1) {
    return 0;
  }
  const Link link{bytes_per_s_among(links, gpus), links.link_latency_s};
  if (exchange == Exchange::local) {
    // A GPU's own link bounds what one of few GPUs can put into the host.
    return std::max(2.0 * gpus * bytes / (law.host_sum_bytes_per_s * links.host_speed),
                    2.0 * bytes / link.bytes_per_s) +
           2 * link.latency_s;
  }
  const double ring_s = ring_all_reduce_seconds(link, gpus, bytes);
  if (links.link == NodeLink::host) {
    const double copied_s =
        4.0 * (gpus - 1) * bytes / (law.host_copy_bytes_per_s * links.host_speed);
    const double waits =
        exchange == Exchange::nccl ? law.ring_through_host : law.device_through_host;
    return std::max(ring_s, copied_s) * waits;
  }
  if (exchange == Exchange::nccl || links.link == NodeLink::xgmi) {
    return ring_s;
  }
  if (links.link == NodeLink::nvlink) {
    return ring_s / law.device_on_nvlink;
  }
  const bool two_halves = gpus > 4;  // GPUs of a switch, or of a socket
  const double root_s = two_halves ? gpus * bytes / 2 / link.bytes_per_s : 0;
  return std::max(ring_s, root_s);
}

// Seconds between the nodes, whose own sums are `bytes`.
double fabric_seconds(const ExchangeLaw& law,
                      const Cluster& cluster,
                      bool parameter_server,
                      double bytes) {
  if (cluster.nodes <= 1) {
    return parameter_server ? bytes / law.server_bytes_per_s : 0;
  }
  const Link line{cluster.interconnect.fabric_bytes_per_s, cluster.interconnect.fabric_latency_s};
  const double ring_s = ring_all_reduce_seconds(line, cluster.nodes, bytes);
  if (parameter_server) {
    // Servers share the keys, one on each node: the ring's bytes in and out, summed on the way.
    const double share = static_cast<double>(cluster.nodes - 1) / cluster.nodes;
    return 2 * line.latency_s +
           std::max(2 * share * bytes / line.bytes_per_s, bytes / law.server_bytes_per_s);
  }
  return std::min(ring_s, tree_all_reduce_seconds(line, cluster.nodes, bytes));
}

}  // namespace

double ring_all_reduce_seconds(const Link& link, int ranks, double bytes) {
  if (ranks <= 1) {
    return 0;
  }
  const double hops = 2.0 * (ranks - 1);
  return hops * link.latency_s + hops / ranks * bytes / link.bytes_per_s;
}

double tree_all_reduce_seconds(const Link& link, int ranks, double bytes) {
  if (ranks <= 1) {
    return 0;
  }
  return 2 * std::ceil(std::log2(ranks)) * link.latency_s + 2 * bytes / link.bytes_per_s;
}

double expected_maximum_of_normals(int n) {
  if (n <= 1) {
    return 0;
  }
  // Blom, "Statistical estimates and transformed beta-variables", 1958: alpha = 3/8.
  const double rank = (n - 0.375) / (n + 0.25);
  return std::sqrt(2.0) * boost::math::erf_inv(2 * rank - 1);
}

double exchange_seconds(const ExchangeLaw& law,
                        const Cluster& cluster,
                        const ExchangePlan& plan,
                        double bytes) {
  if (cluster.ranks() <= 1 || bytes <= 0) {
    return 0;
  }
  double seconds = law.launch_s;
  if (plan.compression == Compression::two_bit) {
    seconds += bytes * law.two_bit_seconds_per_byte;
    bytes *= law.two_bit_share;
  }
  return seconds +
         node_seconds(law, cluster.interconnect, cluster.gpus_per_node, plan.exchange, bytes) +
         fabric_seconds(law, cluster, plan.parameter_server, bytes);
}

double gather_seconds(const ExchangeLaw& law, const Cluster& cluster, double bytes) {
  if (cluster.ranks() <= 1 || bytes <= 0) {
    return 0;
  }
  const auto& links = cluster.interconnect;
  const Link line{links.fabric_bytes_per_s, links.fabric_latency_s};
  const auto within_node = [&](Exchange way) {
    return node_seconds(law, links, cluster.gpus_per_node, way, bytes);
  };
  double node_s = within_node(Exchange::nccl);
  if (links.link == NodeLink::host) {
    // A part that is written into host memory once is read there by all others: g B of both
    // directions, at the pace of `local`, which sums on its way. No figures are here of gathering
    // over PCIe; all-reduces of PyTorch on 2 to 8 GPUs keep that pace (scaling.csv).
    node_s = std::min(node_s, within_node(Exchange::local));
  }
  const double all_reduce_s = node_s + ring_all_reduce_seconds(line, cluster.nodes, bytes);
  return law.launch_s + all_reduce_s / 2;
}

double waiting_share(const ExchangeLaw& law, const Cluster& cluster) {
  return cluster.ranks() <= 1
             ? 0
             : law.coordination + law.step_jitter * expected_maximum_of_normals(cluster.ranks());
}

std::vector<GradientBucket> gradient_buckets(const Network& network,
                                             int bytes_per_element,
                                             double bucket_bytes) {
  std::vector<GradientBucket> buckets;
  const auto trained = trained_parameters(network);
  double total_flops = 0;
  for (std::size_t layer = 0; layer < network.layers.size(); ++layer) {
    total_flops += layer_work(network, layer).backward_flops;
  }
  double done_flops = 0;
  double waiting = 0;
  for (std::size_t layer = network.layers.size(); layer-- > 0;) {
    const auto work = layer_work(network, layer);
    done_flops += work.backward_flops;
    const bool divided = network.layers[layer].updates_rows();  // table_exchange.h
    waiting += divided ? 0 : static_cast<double>(trained[layer]) * bytes_per_element;
    if (waiting >= bucket_bytes || (layer == 0 && waiting > 0)) {
      buckets.push_back({waiting, total_flops > 0 ? done_flops / total_flops : 1.0});
      waiting = 0;
    }
  }
  return buckets;
}

double synchronous_step_seconds(const ExchangeLaw& law,
                                const Cluster& cluster,
                                const ExchangePlan& plan,
                                std::span<const GradientBucket> buckets,
                                double step_s,
                                double backward_share) {
  if (cluster.ranks() <= 1) {
    return step_s;
  }
  const double backward_s = step_s * backward_share;
  const double forward_s = step_s - backward_s;
  double free_s = 0;  // when the links are free again, from the start of the step
  double busy_s = 0;
  for (const auto& bucket : buckets) {
    const double ready_s = forward_s + backward_s * bucket.ready;
    const double exchange_s = exchange_seconds(law, cluster, plan, bucket.bytes);
    free_s = std::max(free_s, ready_s) + exchange_s;
    busy_s += exchange_s;
  }
  const double left_s = std::max(free_s - step_s, 0.0);
  const double hidden_s = busy_s - left_s;
  // By the host's own sums; between GPUs that have a machine each there are none.
  const bool summed_by_host = plan.exchange == Exchange::local && cluster.gpus_per_node > 1;
  const double cost = summed_by_host ? law.hidden_cost_local : law.hidden_cost;
  return step_s + left_s + cost * hidden_s + step_s * waiting_share(law, cluster);
}

Exchange best_exchange(const ExchangeLaw& law,
                       const Cluster& cluster,
                       std::span<const GradientBucket> buckets,
                       double step_s) {
  constexpr std::array all{Exchange::nccl, Exchange::device, Exchange::local};
  const auto step = [&](Exchange exchange) {
    return synchronous_step_seconds(law, cluster, {exchange}, buckets, step_s);
  };
  // NCCL unless another is shorter by more than the model can tell.
  constexpr double telling = 0.995;
  Exchange best = all.front();
  for (const Exchange exchange : all) {
    best = step(exchange) < telling * step(best) ? exchange : best;
  }
  return best;
}

}  // namespace rightsize
