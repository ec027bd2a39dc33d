#include "advisor/candidate/taken_alone.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "kernels/work.h"
#include "models/laws/compiled_rate.h"

namespace rightsize {
namespace {

constexpr int usual_gpus = 8;  // of a machine that trains what one of them has no room for

Cluster cluster_of(const AcceleratorQuery& query, const GpuSpec& gpu, int gpus, int nodes) {
  return {gpus, nodes, interconnect_of(query.interconnect, gpu, gpus, nodes)};
}

Cluster where_told(const SharedStep& told,
                   const NetworkFacts& facts,
                   const AcceleratorQuery& query) {
  const int gpus = std::min(usual_gpus, query.gpus_per_node);
  const int nodes = gpus > 1 ? 1 : std::min(usual_gpus, query.nodes);
  const auto need = gpu_memory_need(facts.network,
                                    query.phase,
                                    query.precision,
                                    told.batch,
                                    {.shards = gpus * nodes, .recompute = told.recompute});
  return judge_memory(need, told.gpu) != MemoryVerdict::too_small
             ? cluster_of(query, told.gpu, gpus, nodes)
             : cluster_of(query, told.gpu, query.gpus_per_node, query.nodes);
}

// By halving, for more work never makes a step shorter. What is told to take less than the law says
// of gathering alone is off by the law's own loss.
double alone_seconds(const SharedStep& told,
                     const Cluster& cluster,
                     const std::vector<ShardedBlock>& blocks) {
  const auto shared = [&](double alone) {
    return sharded_step_seconds(exchange_law_of(told.gpu), cluster, blocks, told.recompute, alone);
  };
  const double by_law = told.seconds * told.law_seconds / shared(told.law_seconds);
  double low = by_law / 2;
  double high = told.seconds;
  if (shared(low) > told.seconds) {
    return by_law;
  }
  constexpr int halvings = 40;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (shared(middle) > told.seconds ? high : low) = middle;
  }
  return low;
}

}  // namespace

GpuRate taken_alone(GpuRate told,
                    const MemoryWay& way,
                    const NetworkFacts& facts,
                    const AcceleratorQuery& query) {
  if (!told.shared || query.gpus_per_node * query.nodes == 1) {
    return told;
  }
  const auto cluster = where_told(*told.shared, facts, query);
  const auto& blocks =
      bytes_per_element(told.precision) == 2 ? facts.blocks_16bit : facts.blocks_fp32;
  const double factor = told.shared->seconds / alone_seconds(*told.shared, cluster, blocks);
  told.items_per_s *= std::pow(factor, told.shared->share);
  const bool same_machine =
      way.gathers() && cluster.gpus_per_node == query.gpus_per_node && cluster.nodes == query.nodes;
  if (!same_machine && told.source == Source::measured) {
    told.source = Source::scaled;
  }
  told.provenance += fmt::format(
      "; of {} GPUs that shared its parameters, one alone {:.0f} % faster for not gathering them",
      cluster.ranks(),
      100 * (factor - 1));
  told.shared.reset();
  return told;
}

}  // namespace rightsize
