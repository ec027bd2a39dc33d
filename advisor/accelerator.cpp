#include "advisor/accelerator.h"

#include <cmath>

#include <fmt/format.h>

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

RateQuery rate_query(const AcceleratorQuery& query) {
  RateQuery asked;
  asked.network = query.network;
  asked.phase = query.phase;
  asked.precision = query.precision;
  asked.gpu = query.gpu;
  asked.batch = query.batch;
  asked.sequence = query.sequence;
  asked.stack = query.stack;
  asked.framework = query.framework;
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
  const bool narrow = bytes_per_element(result.precision) == 2;
  const auto& buckets = narrow ? facts.buckets_16bit : facts.buckets_fp32;
  result.exchange = query.exchange.value_or(best_exchange(law, cluster, buckets, step_s));
  result.interconnect = cluster.interconnect.text;
  result.interconnect_assumed = cluster.interconnect.assumed;
  const ExchangePlan plan{result.exchange, query.parameter_server, query.compression};
  return synchronous_step_seconds(law, cluster, plan, buckets, step_s);
}

}  // namespace

NetworkFacts::NetworkFacts(const std::string& name, int sequence)
    : network(make_network(name, sequence)),
      input_bytes(static_cast<double>(network.input.elements()) * 4),
      buckets_fp32(gradient_buckets(network, 4, ExchangeLaw{}.bucket_bytes)),
      buckets_16bit(gradient_buckets(network, 2, ExchangeLaw{}.bucket_bytes)) {}

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

MemoryVerdict judge_gpu_memory(const NetworkFacts& facts,
                               Phase phase,
                               Precision precision,
                               int batch,
                               const GpuSpec& gpu,
                               std::optional<double> memory_bytes) {
  GpuSpec sold = gpu;  // some GPUs are sold with two sizes of memory
  if (memory_bytes) {
    sold.memory_gb = *memory_bytes / 0x1p30;
  }
  const auto need = gpu_memory_need(facts.network, phase, precision, batch);
  return judge_memory(need, sold);
}

std::optional<GpuRate> single_gpu_rate(const GpuRates& rates, const AcceleratorQuery& query) {
  return rates.rate(rate_query(query));
}

AcceleratorRate accelerator_rate(const GpuRates& rates,
                                 const NetworkFacts& facts,
                                 const AcceleratorQuery& query) {
  const GpuSpec* gpu = rates.find(query.gpu);
  if (gpu == nullptr) {
    return refused(Verdict::unsupported, "no figures for this GPU");
  }
  const auto rate = single_gpu_rate(rates, query);
  if (!rate) {
    return refused(Verdict::unsupported, "the GPU laws know no such network or sequence");
  }
  return accelerator_rate(*gpu, *rate, facts, query);
}

AcceleratorRate accelerator_rate(const GpuSpec& gpu,
                                 const GpuRate& single,
                                 const NetworkFacts& facts,
                                 const AcceleratorQuery& query) {
  // Stored as asked: mixed precision keeps halves also where the GPU computes them in FP32.
  const auto memory = judge_gpu_memory(
      facts, query.phase, query.precision, query.batch, gpu, query.gpu_memory_bytes);
  if (memory == MemoryVerdict::too_small) {
    return refused(Verdict::out_of_memory, "GPU memory too small for the batch");
  }
  AcceleratorRate result;
  result.verdict = Verdict::ok;
  result.memory_tight = memory == MemoryVerdict::tight;
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

double launch_share(const GpuRates& rates, const AcceleratorQuery& query) {
  return rates.launch_share(rate_query(query)).value_or(0);
}

}  // namespace rightsize
