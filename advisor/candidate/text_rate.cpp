#include "advisor/candidate/text_rate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "advisor/tokens/token_service.h"
#include "advisor/way_out/way_out.h"
#include "models/laws/decode_software.h"
#include "models/laws/picture_prompts.h"

namespace rightsize {
namespace {

// What is asked of a server that always has more to do.
TokenService endless(const AcceleratorQuery& query) {
  TokenService service;
  service.prompt_tokens = query.writing.prompt_tokens;
  service.output_tokens = query.writing.output_tokens;
  service.weights = query.writing.weights;
  service.fp8_caches = query.writing.fp8_caches;
  service.software = decode_software(query.framework).value_or("");
  if (query.tensor_parallel > 1 || query.tensor_parallel_said) {
    service.per_replica = query.tensor_parallel;
  }
  return service;
}

struct Copies {
  TokenServer server;
  int in_flight = 0;       // of each
  double texts_per_s = 0;  // of all on the machine
};

// Of a copy that works through `texts`, `in_flight` of them at a time. Each prompt is read once,
// whatever is written beside it. Where not all are in flight at once the last ones end one by one:
// their steps are half full in the mean, and are more of them for it.
double list_seconds(const TokenServer& server, int in_flight, double texts) {
  const auto& [work, gpu, lengths] = std::tie(server.work, server.gpu, server.lengths);
  const auto step_s = [&](double sequences) {
    return decode_step_seconds(work, gpu, sequences, mean_context(lengths));
  };
  const double full_s = step_s(in_flight);
  const double joining_s = decode_period_seconds(work, gpu, lengths, in_flight) - full_s;
  const double rounds = texts / in_flight;
  const double half_full_s = std::min(1.0, rounds - 1) * (step_s(in_flight / 2.0) - full_s / 2);
  return lengths.output_tokens * (rounds * (full_s + joining_s) + std::max(0.0, half_full_s));
}

// With `most` of each copy in flight at the most. Of a list whose length is known the fullest copy
// counts: fewer texts than could be in flight are all there is.
Copies working(TokenServer server, int most, const AcceleratorQuery& query) {
  const auto& lengths = server.lengths;
  const int room = std::min(most, sequences_that_fit(server.work, server.gpu, lengths));
  if (query.items <= 0) {
    const double text_s =
        lengths.output_tokens * decode_period_seconds(server.work, server.gpu, lengths, room);
    const double texts_per_s = server.replicas * room / text_s;
    return {std::move(server), room, texts_per_s};
  }
  const double of_machine = query.items / query.nodes;
  const double fullest = std::ceil(of_machine / server.replicas);
  const int in_flight = static_cast<int>(std::min<double>(room, fullest));
  const double texts_per_s = of_machine / list_seconds(server, in_flight, fullest);
  return {std::move(server), in_flight, texts_per_s};
}

// With `most` of each copy in flight at the most; nullopt, refused, where no shape holds one text.
std::optional<Copies> fastest_copies(const GpuSpec& gpu,
                                     const NetworkFacts& facts,
                                     const AcceleratorQuery& query,
                                     int most,
                                     Refusal& refusal) {
  const TokenServers servers(facts.network, query.precision, endless(query), query.interconnect);
  std::optional<Copies> fastest;
  for (const auto& shape : servers.shapes(query.gpus_per_node)) {
    auto server = servers.server(gpu, std::nullopt, query.gpus_per_node, shape, refusal);
    if (!server) {
      continue;
    }
    auto copies = working(*std::move(server), most, query);
    if (!fastest || copies.texts_per_s > fastest->texts_per_s) {
      fastest = std::move(copies);
    }
  }
  return fastest;
}

// Why a batch of several texts is not modelled. With all of one length it would be as fast as
// texts that come and go; how far real ones differ, and what a program then loses, no figure says.
std::string why_not_together(const AcceleratorQuery& query) {
  const auto software = decode_software(query.framework).value_or("");
  return query.batch > 1 && batches_statically(software)
             ? fmt::format(
                   "{} keeps a batch until its longest text is done, of which no figures were "
                   "published: say batch 1, one text after another, or name a framework that "
                   "serves, such as vLLM",
                   software)
             : "";
}

AcceleratorRate refused(const Refusal& refusal) {
  AcceleratorRate rate;
  const bool memory = refusal.lacking == Lacking::gpu_memory;
  rate.verdict = memory ? Verdict::out_of_memory : Verdict::unsupported;
  rate.reason =
      memory ? fmt::format("{} for the weights and the cache of one text", gpu_memory_too_small)
             : refusal.reason;
  return rate;
}

// What an iteration of a copy goes to: one token of each text in flight, and the prompts of those
// that join it.
std::string iteration_words(const Copies& copies) {
  const auto& [work, gpu, lengths] =
      std::tie(copies.server.work, copies.server.gpu, copies.server.lengths);
  const auto step = decode_step(work, gpu, copies.in_flight, mean_context(lengths));
  const double prompts_s =
      prompts_seconds(work,
                      gpu,
                      lengths,
                      copies.in_flight,
                      static_cast<double>(copies.in_flight) / lengths.output_tokens);
  const double period_s = decode_period_seconds(work, gpu, lengths, copies.in_flight);
  const auto share = [&](double seconds) { return std::lround(100 * seconds / period_s); };
  const bool reads = step.weights_s >= step.products_s;
  auto words = fmt::format(
      "an iteration of {} text{} takes ~{:.3g} ms: {} % prompts, {} % {}, {} % caches, "
      "{} % launches",
      copies.in_flight,
      copies.in_flight == 1 ? "" : "s",
      1e3 * period_s,
      share(prompts_s),
      share(std::max(step.weights_s, step.products_s)),
      reads ? "reading weights" : "products",
      share(step.caches_s),
      share(step.overhead_s));
  if (work.tower_flops > 0) {
    const double joining = static_cast<double>(copies.in_flight) / lengths.output_tokens;
    words += fmt::format(" ({} % seeing pictures, of prompts)",
                         share(joining * tower_seconds(work, gpu)));
  }
  if (step.reduces_s > 0) {
    words += fmt::format(", {} % between GPUs", share(step.reduces_s));
  }
  if (const double waits_s = period_s - step.gpu_seconds() - prompts_s; share(waits_s) > 0) {
    words +=
        fmt::format(", {} % waiting for the host, which {}",
                    share(waits_s),
                    gpu.host_block_s > 0 ? "launches kernel by kernel"
                                         : "is taken to be no faster than the fastest published");
  }
  return words;
}

std::string provenance_of(const Copies& copies, const TokenService& service, const GpuSpec& gpu) {
  const auto& server = copies.server;
  auto words = fmt::format("{}{}; {}",
                           token_provenance(service, true),
                           decode_interval_words(gpu),
                           iteration_words(copies));
  if (server.gpus_each() > 1) {
    words += fmt::format("; {} GPUs share a copy of the network ({})",
                         server.gpus_each(),
                         server.attention == AttentionSharing::by_heads
                             ? "tensor parallel"
                             : "its experts, each with sequences of its own");
  }
  return words;
}

}  // namespace

std::optional<int> texts_in_flight(const GpuSpec& gpu,
                                   const NetworkFacts& facts,
                                   const AcceleratorQuery& query) {
  Refusal refusal;
  const auto copies = fastest_copies(gpu, facts, query, std::numeric_limits<int>::max(), refusal);
  return copies ? std::optional(copies->in_flight) : std::nullopt;
}

AcceleratorRate text_rate(const GpuSpec& gpu,
                          const NetworkFacts& facts,
                          const AcceleratorQuery& query) {
  if (auto reason = why_not_together(query); !reason.empty()) {
    AcceleratorRate rate;
    rate.reason = std::move(reason);
    return rate;
  }
  Refusal refusal;
  const auto copies = fastest_copies(gpu, facts, query, query.batch, refusal);
  if (!copies) {
    return refused(refusal);
  }
  const auto& server = copies->server;
  AcceleratorRate rate;
  rate.verdict = Verdict::ok;
  rate.precision = server.precision;
  rate.source = Source::scaled;
  rate.provenance = provenance_of(*copies, endless(query), gpu);
  rate.log_sd = server.log_sd;
  rate.items_per_s = query.nodes * copies->texts_per_s;
  rate.one_gpu_items_per_s = copies->texts_per_s / server.replicas / server.gpus_each();
  rate.in_flight = copies->in_flight;
  rate.texts = server;
  rate.way.parallel = {.tensor = server.gpus_each(), .micro_batch = 0};
  rate.memory.parameters_bytes = server.work.weight_bytes;
  rate.memory.activations_bytes =
      copies->in_flight * sequence_cache_bytes(server.work, server.lengths.tokens());
  return rate;
}

}  // namespace rightsize
