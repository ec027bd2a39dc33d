#include "advisor/candidate/accelerator_query.h"

#include "advisor/candidate/update_share.h"
#include "advisor/query/job_defaults.h"
#include "kernels/gibibyte.h"

namespace rightsize {

AcceleratorQuery accelerator_query(
    const Query& query, const Offer& offer, const GpuRates& rates, int batch, int nodes) {
  AcceleratorQuery asked;
  static_cast<NetworkStep&>(asked) = query;
  asked.gpu = offer.gpu;
  if (offer.gpu_memory_gib) {
    asked.gpu_memory_bytes = *offer.gpu_memory_gib * bytes_per_gib;
  }
  asked.gpus_per_node = static_cast<int>(offer.gpus);
  asked.nodes = nodes;
  asked.batch = batch;
  asked.items = query.serves() ? 0 : static_cast<double>(query.items) * query.epochs;
  asked.framework = framework_of_job(rates, offer.gpu, query.stack, query.framework);
  asked.interconnect = network_of_job(query.network_between, offer.network);
  share_update(asked);
  return asked;
}

}  // namespace rightsize
