#include "advisor/candidate/decode_rate.h"

#include <utility>

#include <fmt/format.h>

#include "advisor/candidate/refusal.h"
#include "advisor/machine/machine_spec.h"
#include "advisor/tokens/token_service.h"
#include "advisor/tokens/weights_taken.h"
#include "models/laws/decode_host.h"
#include "models/laws/decode_software.h"

namespace rightsize {
namespace {

// One copy of the network: a GPU's, or shared by several of a node.
struct Copy {
  Copy(const GpuSpec& sold, const NetworkFacts& facts, const AcceleratorQuery& query, int shared_by)
      : context(static_cast<int>(facts.network.input.positions())),
        precision(available_precision(sold, query.precision)),
        software(decode_software(query.framework).value_or("")),
        form(decode_form(query.writing, facts.published, precision, software)),
        gpus(shared_by),
        gpu(served_by(decode_gpu(sold, form, gpus, query.interconnect), sold, software)),
        whole(decode_work(facts.network, form, {0, context, 1})),
        possible(divides_heads(whole, gpus)),
        work(possible ? tensor_parallel(whole, gpus) : whole),
        most(possible ? sequences_in_memory(work, gpu, context) : 0) {}

  int context;
  Precision precision;
  std::string software;
  DecodeForm form;
  int gpus;
  DecodeGpu gpu;
  DecodeWork whole;
  bool possible;    // whole heads each
  DecodeWork work;  // of one of its GPUs
  int most;         // sequences
};

// By as many GPUs of a node as is said; else by one, or where that cannot hold the batch beside the
// weights by the fewest that can, 2, 4, 8 ...
Copy copy_that_fits(const GpuSpec& sold, const NetworkFacts& facts, const AcceleratorQuery& query) {
  Copy roomiest(sold, facts, query, query.tensor_parallel);
  const bool free = query.tensor_parallel == 1 && !query.tensor_parallel_said;
  for (int share = 2; free && roomiest.most < query.batch && query.gpus_per_node % share == 0;
       share *= 2) {
    if (Copy shared(sold, facts, query, share); shared.most > roomiest.most) {
      roomiest = std::move(shared);
    }
  }
  return roomiest;
}

std::string too_small_for(const Copy& copy, int gpus_per_node) {
  const auto more = gpus_per_node < largest_gpus ? "; more GPUs of a machine share them" : "";
  return copy.most == 0
             ? fmt::format(
                   "{} for the weights and the cache of one sequence{}", gpu_memory_too_small, more)
             : fmt::format("{} for the batch: beside the weights fit {} sequences of {} tokens",
                           gpu_memory_too_small,
                           copy.most,
                           copy.context);
}

std::string unevenly_shared(const Copy& copy, int gpus_per_node) {
  return gpus_per_node % copy.gpus != 0
             ? fmt::format("a machine's {} GPUs are not divided evenly by {} that share a copy",
                           gpus_per_node,
                           copy.gpus)
             : fmt::format(
                   "{} GPUs cannot share {} attention heads evenly", copy.gpus, copy.whole.heads);
}

// Whether the copy can write the batch: ok, or the reason why not.
AcceleratorRate judged(const Copy& copy, const GpuSpec& gpu, const AcceleratorQuery& query) {
  AcceleratorRate rate;
  rate.verdict = Verdict::unsupported;
  if (!copy.possible || query.gpus_per_node % copy.gpus != 0) {
    rate.reason = unevenly_shared(copy, query.gpus_per_node);
  } else if (auto unread = why_unread(copy.software, copy.form.weights, gpu); !unread.empty()) {
    rate.reason = std::move(unread);
  } else if (query.batch > copy.gpu.slots) {
    rate.reason =
        fmt::format("{} takes {} sequences at once and no more", copy.software, copy.gpu.slots);
  } else if (query.batch > copy.most) {
    rate.verdict = Verdict::out_of_memory;
    rate.reason = too_small_for(copy, query.gpus_per_node);
  } else {
    rate.verdict = Verdict::ok;
  }
  return rate;
}

// The rate of one GPU, its interval and where it is from.
void tell_measured(const GpuRate& measured, AcceleratorRate& rate) {
  rate.source = measured.source;
  rate.provenance = measured.provenance +
                    ", by rightsize's own engine; [service] asks the law of programs that serve";
  rate.log_sd = measured.log_sd;
  rate.one_gpu_items_per_s = measured.items_per_s;
}

void tell_by_law(const Copy& copy, const GpuSpec& gpu, int batch, AcceleratorRate& rate) {
  TokenService service;
  service.software = copy.software;
  rate.source = Source::scaled;
  rate.provenance =
      fmt::format("{}{}", token_provenance(service, batch > 1), decode_interval_words(gpu));
  rate.log_sd =
      decode_log_sd(copy.software, batch > 1, {gpu, copy.work.expert_bytes > 0, copy.form.weights});
  if (copy.gpus > 1) {
    rate.provenance += fmt::format(
        "; {} GPUs share a copy of the network (tensor parallel), which writes the batch",
        copy.gpus);
  }
  rate.one_gpu_items_per_s =
      batch / decode_step_seconds(copy.work, copy.gpu, batch, copy.context) / copy.gpus;
}

}  // namespace

bool decode_fits(const GpuSpec& gpu, const NetworkFacts& facts, const AcceleratorQuery& query) {
  return query.batch <= copy_that_fits(gpu, facts, query).most;
}

AcceleratorRate decode_rate(const GpuSpec& gpu,
                            const std::optional<GpuRate>& measured,
                            const NetworkFacts& facts,
                            const AcceleratorQuery& query) {
  const auto copy = copy_that_fits(gpu, facts, query);
  auto rate = judged(copy, gpu, query);
  if (rate.verdict != Verdict::ok) {
    return rate;
  }
  rate.precision = copy.precision;
  const bool own_form = copy.form.weights == WeightFormat::own && !copy.form.fp8_caches;
  if (measured && copy.gpus == 1 && own_form) {
    tell_measured(*measured, rate);
  } else {
    tell_by_law(copy, gpu, query.batch, rate);
  }
  const int copies = query.gpus_per_node / copy.gpus * query.nodes;
  rate.items_per_s = copies * copy.gpus * rate.one_gpu_items_per_s;
  rate.way.parallel = {.tensor = copy.gpus, .micro_batch = 0};  // nothing passes through stages
  rate.memory.parameters_bytes = copy.work.weight_bytes;
  rate.memory.activations_bytes = query.batch * sequence_cache_bytes(copy.work, copy.context);
  rate.memory_tight = rate.memory.total() > 0.9 * copy.gpu.memory_bytes;
  return rate;
}

}  // namespace rightsize
