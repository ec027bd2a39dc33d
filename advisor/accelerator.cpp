#include "advisor/accelerator.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/decode_rate.h"
#include "advisor/training_way.h"
#include "kernels/network_blocks.h"
#include "kernels/work.h"

namespace rightsize {
namespace {

// Assumptions, none of them measured here.
constexpr double pcie_bytes_per_s = 12e9;  // pinned copies, per GPU

AcceleratorRate refused(Verdict verdict, std::string reason) {
  AcceleratorRate none;
  none.verdict = verdict;
  none.reason = std::move(reason);
  return none;
}

std::string too_small_for(const std::vector<MemoryWay>& ways) {
  const auto any = [&](auto of) {
    return std::any_of(ways.begin() + 1, ways.end(), of);  // beyond what was asked for
  };
  const bool sharded = any([](const MemoryWay& way) { return way.shards > 0; });
  const bool recomputed = any([](const MemoryWay& way) { return way.recompute; });
  return std::string("GPU memory too small for the batch") +
         (sharded      ? ", also with sharded parameters"
          : recomputed ? ", also with recomputation"
                       : "");
}

RateQuery rate_query(const AcceleratorQuery& query, const MemoryWay& way) {
  RateQuery asked;
  asked.network = query.network;
  asked.phase = query.phase;
  asked.precision = query.precision;
  asked.gpu = query.gpu;
  asked.batch = query.batch;
  asked.sequence = query.sequence;
  asked.stack = query.stack;
  asked.framework = query.framework;
  asked.recompute = way.recompute;
  asked.shards = std::max(1, way.shards);
  return asked;
}

// The step with the exchange, and which exchange it was.
double exchanged_step_seconds(const NetworkFacts& facts,
                              const AcceleratorQuery& query,
                              const GpuSpec& gpu,
                              double step_s,
                              AcceleratorRate& result) {
  const ExchangeLaw law;
  const Cluster cluster{query.gpus_per_node,
                        query.nodes,
                        interconnect_of(query.interconnect, gpu, query.gpus_per_node, query.nodes)};
  result.interconnect = cluster.interconnect.text;
  result.interconnect_assumed = cluster.interconnect.assumed;
  const int element_bytes = bytes_per_element(result.precision);
  if (result.way.shards > 0) {
    result.exchange = Exchange::sharded;
    return sharded_step_seconds(
        law, cluster, facts.blocks, element_bytes, result.way.recompute, step_s);
  }
  const auto& buckets = element_bytes == 2 ? facts.buckets_16bit : facts.buckets_fp32;
  result.exchange = query.exchange.value_or(best_exchange(law, cluster, buckets, step_s));
  const ExchangePlan plan{result.exchange, query.parameter_server, query.compression};
  return synchronous_step_seconds(law, cluster, plan, buckets, step_s);
}

// Of a way whose step fits.
AcceleratorRate rate_of_way(const GpuSpec& gpu,
                            const GpuRate& single,
                            const NetworkFacts& facts,
                            const AcceleratorQuery& query,
                            AcceleratorRate result) {
  result.verdict = Verdict::ok;
  result.precision = single.precision;
  result.source = single.source;
  result.provenance = single.provenance;
  result.one_gpu_items_per_s = single.items_per_s;
  const int gpus = query.gpus_per_node * query.nodes;
  double step_s = query.batch / single.items_per_s;
  double scaling_sd = 0;
  if (gpus > 1 && has_backward(query.phase)) {
    step_s = exchanged_step_seconds(facts, query, gpu, step_s, result);
    const ExchangeLaw law;
    scaling_sd = query.nodes > 1 ? law.cluster_log_sd : law.node_log_sd;
  }
  result.items_per_s = gpus * query.batch / step_s;
  result.efficiency = result.items_per_s / (gpus * single.items_per_s);
  result.log_sd = std::hypot(single.log_sd, scaling_sd);
  result.copy_items_per_s = gpus * pcie_bytes_per_s / facts.input_bytes;
  return result;
}

}  // namespace

NetworkFacts::NetworkFacts(const std::string& name, int sequence)
    : network(make_network(name, sequence)),
      input_bytes(static_cast<double>(network.input.elements()) * 4),
      buckets_fp32(gradient_buckets(network, 4, ExchangeLaw{}.bucket_bytes)),
      buckets_16bit(gradient_buckets(network, 2, ExchangeLaw{}.bucket_bytes)),
      blocks(sharded_blocks(network)),
      transformer(is_transformer(network)) {}

bool can_generate(const Network& network) {
  bool attends = false;
  for (const auto& layer : network.layers) {
    if (layer.kind == LayerKind::attention) {
      if (!layer.causal) {
        return false;
      }
      attends = true;
    }
  }
  return attends && network.reads_tokens() &&
         network.labels_per_item() == network.input.positions();
}

GpuSpec gpu_as_sold(const GpuSpec& gpu, std::optional<double> memory_bytes) {
  GpuSpec sold = gpu;  // some GPUs are sold with two sizes of memory
  if (memory_bytes) {
    sold.memory_gb = *memory_bytes / 0x1p30;
  }
  return sold;
}

std::optional<GpuRate> single_gpu_rate(const GpuRates& rates,
                                       const AcceleratorQuery& query,
                                       const MemoryWay& way) {
  return rates.rate(rate_query(query, way));
}

AcceleratorRate accelerator_rate(const GpuRates& rates,
                                 const NetworkFacts& facts,
                                 const AcceleratorQuery& query) {
  const GpuSpec* gpu = rates.find(query.gpu);
  if (gpu == nullptr) {
    return refused(Verdict::unsupported, "no figures for this GPU");
  }
  const auto single = [&](const MemoryWay& way) { return single_gpu_rate(rates, query, way); };
  return accelerator_rate(*gpu, single, facts, query);
}

AcceleratorRate accelerator_rate(const GpuSpec& gpu,
                                 const SingleGpuRate& single,
                                 const NetworkFacts& facts,
                                 const AcceleratorQuery& query) {
  const bool shards = has_backward(query.phase) && query.exchange == Exchange::sharded;
  if (shards && (query.parameter_server || query.compression != Compression::none)) {
    return refused(Verdict::unsupported,
                   "sharded training gathers and sums by itself: no parameter server and no "
                   "compression goes with it");
  }
  const auto sold = gpu_as_sold(gpu, query.gpu_memory_bytes);
  if (query.phase == Phase::decode) {
    return decode_rate(sold, facts, query);
  }
  const auto ways = training_ways(facts, query);
  AcceleratorRate best = refused(Verdict::out_of_memory, too_small_for(ways));
  for (std::size_t i = 0; i < ways.size(); ++i) {
    // Stored as asked: mixed precision keeps halves also where the GPU computes them in FP32.
    AcceleratorRate trying;
    trying.way = ways[i];
    trying.memory =
        gpu_memory_need(facts.network, query.phase, query.precision, query.batch, ways[i]);
    const auto verdict = judge_memory(trying.memory, sold);
    if (verdict == MemoryVerdict::too_small) {
      continue;
    }
    trying.memory_tight = verdict == MemoryVerdict::tight;
    const auto rate = single(ways[i]);
    if (!rate) {
      return refused(Verdict::unsupported, "the GPU laws know no such network or sequence");
    }
    const auto made = rate_of_way(gpu, *rate, facts, query, trying);
    if (i == 0) {
      return made;  // nothing has to be spared
    }
    best = made.items_per_s > best.items_per_s ? made : best;
  }
  return best;
}

double launch_share(const GpuRates& rates, const AcceleratorQuery& query, const MemoryWay& way) {
  // Serving programs launch a graph of kernels at once.
  return query.phase == Phase::decode ? 0 : rates.launch_share(rate_query(query, way)).value_or(0);
}

}  // namespace rightsize
