#include "advisor/accelerator_query.h"

#include "advisor/job_defaults.h"

namespace rightsize {

AcceleratorQuery accelerator_query(
    const Query& query, const Offer& offer, const GpuRates& rates, int batch, int nodes) {
  AcceleratorQuery asked;
  asked.network = query.network;
  asked.sequence = query.sequence;
  asked.phase = query.phase;
  asked.precision = query.precision;
  asked.gpu = offer.gpu;
  if (offer.gpu_memory_gib) {
    asked.gpu_memory_bytes = *offer.gpu_memory_gib * 0x1p30;
  }
  asked.gpus_per_node = static_cast<int>(offer.gpus);
  asked.nodes = nodes;
  asked.batch = batch;
  asked.stack = query.stack;
  asked.exchange = query.exchange;
  asked.recompute = query.recompute;
  asked.adapters = query.adapters;
  asked.tensor_parallel = query.tensor_parallel;
  asked.pipeline_parallel = query.pipeline_parallel;
  asked.framework = framework_of_job(rates, offer.gpu, query.stack, query.framework);
  asked.interconnect = network_of_job(query.network_between);
  return asked;
}

}  // namespace rightsize
