// The part of a candidate that its GPUs decide: their rate, the minibatches whose times a service
// goes by, and the server of a language model that they make.
#include <cmath>

#include <fmt/format.h>

#include "advisor/candidate/accelerator_query.h"
#include "advisor/candidate/batch_choice.h"
#include "advisor/candidate/candidate.h"
#include "advisor/candidate/gpu_preprocessing.h"
#include "advisor/candidate/refusal.h"
#include "advisor/query/job_defaults.h"
#include "kernels/gibibyte.h"
#include "models/laws/decode_software.h"

namespace rightsize {
namespace {

bool is_whole(double gpus) {
  return gpus >= 1 && gpus == std::floor(gpus);
}

std::string exchange_text(const AcceleratorRate& rate) {
  return rate.interconnect.empty()
             ? ""
             : std::string(to_string(rate.exchange)) + " over " + rate.interconnect;
}

}  // namespace

// Sequences arrive, tokens leave: nothing is loaded, and what the host does is in the law's
// overhead.
bool CandidateMaker::fill_tokens(Candidate& candidate, Refusal& refusal) {
  const Offer& offer = *candidate.offer;
  const auto* gpu = gpu_rates_.find(offer.gpu);
  if (gpu == nullptr || !is_whole(offer.gpus)) {
    refusal = {gpu == nullptr ? fmt::format("nothing is published about a {}", offer.gpu)
                              : "a fraction of a GPU: not modelled yet",
               Lacking::evidence};
    return false;
  }
  candidate.tokens = token_servers_->server(
      *gpu,
      offer.gpu_memory_gib ? std::optional(*offer.gpu_memory_gib * bytes_per_gib) : std::nullopt,
      static_cast<int>(offer.gpus),
      {candidate.way.gpus_each, candidate.way.attention},
      refusal);
  if (!candidate.tokens) {
    return false;
  }
  const auto& server = *candidate.tokens;
  const auto& links = server.gpu.cluster.interconnect;
  candidate.way.batch = sequences_that_fit(server.work, server.gpu, server.lengths);
  candidate.precision = server.precision;
  candidate.rate_source = Source::scaled;
  candidate.rate_provenance =
      fmt::format("{}{}", token_provenance(*query_.tokens, true), decode_interval_words(*gpu));
  candidate.uncertainty.accelerator = server.log_sd;
  candidate.exchange = server.gpus_each() == 1 ? ""
                       : server.attention == AttentionSharing::by_heads
                           ? fmt::format("all-reduce over {}", links.text)
                           : fmt::format("all-to-all over {}", links.text);
  return true;
}

AcceleratorRate CandidateMaker::judge_accelerator(const Offer& offer, int batch, int nodes) {
  if (!is_whole(offer.gpus)) {
    AcceleratorRate none;
    none.reason = "a fraction of a GPU: not modelled yet";
    return none;
  }
  const auto asked = accelerator_query(query_, offer, gpu_rates_, batch, nodes);
  const GpuSpec* gpu = gpu_rates_.find(offer.gpu);
  const SingleGpu single{[&](const MemoryWay& way) {
                           const auto [known, fresh] = single_gpus_.try_emplace(
                               {offer.gpu, asked.batch, asked.accumulate, asked.copy_batch, way});
                           if (fresh) {
                             known->second = single_gpu_rate(gpu_rates_, asked, way);
                           }
                           return known->second;
                         },
                         [&](const MemoryWay& way) {
                           const auto [known, fresh] =
                               gpu_memory_seen_.try_emplace({asked.batch, asked.copy_batch, way});
                           if (fresh) {
                             known->second = single_gpu_memory(memory_law_, asked, way);
                           }
                           return known->second;
                         }};
  auto rate = gpu != nullptr ? accelerator_rate(*gpu, single, facts_, asked)
                             : accelerator_rate(gpu_rates_, facts_, asked);  // for the reason
  if (query_.service && rate.way.table_ranks > 1) {                          // as predict has it
    AcceleratorRate none;
    none.verdict = Verdict::out_of_memory;
    none.reason = std::string(gpu_memory_too_small) +
                  " for the tables: GPUs of a service answer each on its own";
    return none;
  }
  rate.log_sd = std::hypot(
      rate.log_sd,
      assumed_network_log_sd(query_.network_between, offer.network, nodes, query_.phase));
  return rate;
}

const AcceleratorRate& CandidateMaker::accelerator(const Offer& offer, int batch, int nodes) {
  static const std::string none;
  const double memory_gib = offer.gpu_memory_gib.value_or(0);
  const auto& network = nodes > 1 ? offer.network : none;
  const auto key = std::tie(offer.gpu, offer.gpus, memory_gib, batch, nodes, network);
  const auto found = accelerators_.find(key);
  return found != accelerators_.end()
             ? found->second
             : accelerators_.emplace(key, judge_accelerator(offer, batch, nodes)).first->second;
}

std::vector<int> CandidateMaker::batches(const Offer& offer, int nodes) {
  if (!query_.batches.empty()) {
    return query_.batches;
  }
  if (offer.gpu.empty()) {
    return {query_.service ? usual_limit_of_cpus : usual_batch_of_cpus};
  }
  const auto* gpu = gpu_rates_.find(offer.gpu);
  if (gpu == nullptr || !is_whole(offer.gpus)) {
    return {usual_batch_of_gpu};  // refused, with the reason
  }
  const std::tuple key{offer.gpu,
                       offer.gpus,
                       offer.gpu_memory_gib.value_or(0),
                       nodes,
                       nodes > 1 ? offer.network : std::string()};
  const auto [known, fresh] = batches_seen_.try_emplace(key, 1);
  if (fresh) {
    const auto asked = accelerator_query(query_, offer, gpu_rates_, 1, nodes);
    known->second = batch_that_fits(*gpu, facts_, asked, memory_law_, [&](int batch) {
                      return accelerator(offer, batch, nodes);
                    }).value_or(1);
  }
  return {known->second};
}

bool CandidateMaker::fill_accelerator(Candidate& candidate, Refusal& refusal) {
  const Offer& offer = *candidate.offer;
  const AcceleratorRate& rate = accelerator(offer, candidate.way.batch, candidate.way.nodes);
  if (!rate.reason.empty()) {
    const bool known = gpu_rates_.find(offer.gpu) != nullptr && is_whole(offer.gpus);
    refusal = {rate.reason,
               !known                                   ? Lacking::evidence
               : rate.verdict == Verdict::out_of_memory ? Lacking::gpu_memory
                                                        : Lacking::nothing};
    return false;
  }
  candidate.way.batch = rate.in_flight > 0 ? rate.in_flight : candidate.way.batch;
  candidate.texts = rate.texts;
  candidate.precision = rate.precision;
  candidate.rate_source = rate.source;
  candidate.rate_provenance = rate.provenance;
  candidate.uncertainty.accelerator = rate.log_sd;
  candidate.scaling_efficiency = rate.efficiency;
  candidate.exchange = exchange_text(rate);
  candidate.memory_way = rate.way;
  candidate.spared_for_memory = rate.spared_for_memory;
  candidate.gpu_memory = rate.memory;
  candidate.setting.accelerator_items_per_s = rate.items_per_s / candidate.way.nodes;
  candidate.setting.copy_items_per_s = rate.copy_items_per_s / candidate.way.nodes;
  return true;
}

void CandidateMaker::move_preprocessing(Candidate& candidate) const {
  const Offer& offer = *candidate.offer;
  preprocess_on_gpu(candidate.setting,
                    query_.format,
                    facts_.input_bytes,
                    *gpu_rates_.find(offer.gpu),
                    offer.gpus);
}

void CandidateMaker::fill_minibatches(Candidate& candidate) {
  const Offer& offer = *candidate.offer;
  const bool on_gpu = !offer.gpu.empty();
  const auto sizes = MinibatchTime::sizes(candidate.way.batch);
  candidate.minibatches.reserve(sizes.size());
  for (const int size : sizes) {
    if (size == candidate.way.batch) {
      continue;
    }
    const auto* gpus = on_gpu ? &accelerator(offer, size, 1) : nullptr;
    const bool fits = (gpus == nullptr || gpus->reason.empty()) &&
                      host_memory(offer, candidate.setting, size) <=
                          static_cast<double>(candidate.setting.memory_bytes);
    if (fits) {
      auto& setting = candidate.minibatches.emplace_back(candidate.setting);
      setting.workload.batch = size;
      setting.accelerator_items_per_s =
          gpus != nullptr ? gpus->items_per_s : setting.accelerator_items_per_s;
    }
  }
}

}  // namespace rightsize
