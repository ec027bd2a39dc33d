#include "advisor/candidate/exchanged_step.h"

#include "models/laws/compiled_rate.h"
#include "models/laws/sharded_copies.h"
#include "models/laws/table_exchange.h"

namespace rightsize {
namespace {

// With its words in `result`.
Cluster cluster_of(const AcceleratorQuery& query, const GpuSpec& gpu, AcceleratorRate& result) {
  Cluster cluster{query.gpus_per_node,
                  query.nodes,
                  interconnect_of(query.interconnect, gpu, query.gpus_per_node, query.nodes)};
  result.interconnect = cluster.interconnect.text;
  result.interconnect_assumed = cluster.interconnect.assumed;
  return cluster;
}

}  // namespace

double exchanged_step_seconds(const NetworkFacts& facts,
                              const AcceleratorQuery& query,
                              const GpuSpec& gpu,
                              double step_s,
                              AcceleratorRate& result) {
  const auto law = exchange_law_of(gpu);
  const auto cluster = cluster_of(query, gpu, result);
  const int element_bytes = bytes_per_element(result.precision);
  const auto& blocks = element_bytes == 2 ? facts.blocks_16bit : facts.blocks_fp32;
  const auto& parallel = result.way.parallel;
  if (parallel.any() && result.way.gathers()) {
    result.exchange = Exchange::sharded;
    return sharded_copies_step_seconds(law,
                                       cluster,
                                       parallel,
                                       facts.shape,
                                       blocks,
                                       parallel.micro_batches(items_of_copy(query)),
                                       element_bytes,
                                       result.way.recompute,
                                       step_s);
  }
  if (parallel.any()) {
    return model_parallel_step_seconds(law,
                                       cluster,
                                       parallel,
                                       facts.shape,
                                       parallel.micro_batches(items_of_copy(query)),
                                       element_bytes,
                                       result.way.recompute,
                                       step_s);
  }
  if (result.way.shards > 0) {
    result.exchange = Exchange::sharded;
    const ExpertSharing experts{
        result.way.gathered_experts, 1.0 * query.batch, 1.0 * element_bytes};
    return sharded_step_seconds(law, cluster, blocks, result.way.recompute, step_s, experts);
  }
  const auto& buckets = element_bytes == 2 ? facts.buckets_16bit : facts.buckets_fp32;
  result.exchange = query.exchange.value_or(best_exchange(law, cluster, buckets, step_s));
  const ExchangePlan plan{result.exchange, query.parameter_server, query.compression};
  // Those of tables stay where their rows are. Gradients add up on each GPU, and are averaged
  // behind the last of the minibatches (no_sync of PyTorch's DistributedDataParallel).
  const double updating_s = synchronous_step_seconds(law, cluster, plan, buckets, step_s);
  return step_s + (updating_s - step_s) / query.accumulate;
}

double divided_tables_seconds(const NetworkFacts& facts,
                              const AcceleratorQuery& query,
                              const GpuSpec& gpu,
                              AcceleratorRate& result) {
  const auto cluster = cluster_of(query, gpu, result);
  return table_exchange_seconds(
      ExchangeLaw{},
      cluster,
      query.batch,
      facts.table_elements * fullest_share(facts.network, cluster.ranks()),
      bytes_per_element(result.precision),
      has_backward(query.phase));
}

}  // namespace rightsize
