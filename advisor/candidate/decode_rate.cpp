#include "advisor/candidate/decode_rate.h"

#include <fmt/format.h>

#include "advisor/tokens/token_service.h"
#include "advisor/way_out/way_out.h"
#include "models/laws/decode_host.h"
#include "models/laws/decode_software.h"

namespace rightsize {
namespace {

struct Copy {
  Copy(const GpuSpec& sold, const NetworkFacts& facts, const AcceleratorQuery& query)
      : context(static_cast<int>(facts.network.input.positions())),
        precision(available_precision(sold, query.precision)),
        work(decode_work(facts.network, {precision}, {0, context, 1})),
        software(decode_software(query.framework).value_or("")),
        gpu(served_by(decode_gpu(sold, {precision}), sold, software)),
        most(sequences_that_fit(work, gpu, context)) {}

  int context;
  Precision precision;
  DecodeWork work;
  std::string software;
  DecodeGpu gpu;
  int most;  // sequences
};

std::string too_small_for(const Copy& copy) {
  return copy.most == 0
             ? fmt::format(
                   "{} for the weights and the cache of one sequence; a job file with "
                   "phase = \"decode\" and [service] shares them among GPUs",
                   gpu_memory_too_small)
             : fmt::format("{} for the batch: beside the weights fit {} sequences of {} tokens",
                           gpu_memory_too_small,
                           copy.most,
                           copy.context);
}

}  // namespace

bool decode_fits(const GpuSpec& gpu, const NetworkFacts& facts, const AcceleratorQuery& query) {
  return query.batch <= Copy(gpu, facts, query).most;
}

AcceleratorRate decode_rate(const GpuSpec& gpu,
                            const std::optional<GpuRate>& measured,
                            const NetworkFacts& facts,
                            const AcceleratorQuery& query) {
  const Copy copy(gpu, facts, query);
  AcceleratorRate rate;
  if (query.batch > copy.most) {
    rate.verdict = Verdict::out_of_memory;
    rate.reason = too_small_for(copy);
    return rate;
  }
  const int gpus = query.gpus_per_node * query.nodes;
  rate.verdict = Verdict::ok;
  rate.precision = copy.precision;
  if (measured) {
    rate.source = measured->source;
    rate.provenance = measured->provenance +
                      ", by rightsize's own engine; [service] asks the law of programs that serve";
    rate.log_sd = measured->log_sd;
    rate.one_gpu_items_per_s = measured->items_per_s;
  } else {
    TokenService service;
    service.software = copy.software;
    rate.source = Source::scaled;
    rate.provenance = token_provenance(service, query.batch > 1);
    rate.log_sd = decode_log_sd(service.software, query.batch > 1);
    rate.one_gpu_items_per_s =
        query.batch / decode_step_seconds(copy.work, copy.gpu, query.batch, copy.context);
  }
  rate.items_per_s = gpus * rate.one_gpu_items_per_s;
  rate.memory.parameters_bytes = copy.work.weight_bytes;
  rate.memory.activations_bytes = query.batch * sequence_cache_bytes(copy.work, copy.context);
  rate.memory_tight = rate.memory.total() > 0.9 * copy.gpu.memory_bytes;
  return rate;
}

}  // namespace rightsize
