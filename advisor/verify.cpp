#include "advisor/verify.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/candidate/constraint.h"
#include "advisor/candidate/own_loader.h"
#include "advisor/judge/judge.h"
#include "models/carry.h"
#include "models/workload_parts.h"

namespace rightsize {
namespace {

// Less, and the loader's buffers leave the page cache nothing to hold.
constexpr double least_memory_bytes = 64.0 * (1 << 20);
// The runs' buffers must be small against the sample, so that memory limits act on the page cache.
constexpr int emulated_batch = 8;

// Machines of one name are several where books, CPUs or payments differ.
const Offer& offer_of(const Option& option, const Query& query, const Catalog& catalog) {
  const OfferConstraints constraints(query);
  for (const auto& offer : catalog.offers()) {
    if (offer.provider == option.provider && offer.instance == option.instance &&
        offer.region == option.region && offer.market == option.market && offer.cpu == option.cpu &&
        offer.price_per_hour == option.price_per_hour && constraints.in_scope(offer)) {
      return offer;
    }
  }
  throw UsageError(fmt::format(
      "{}/{}: not in the price tables, as the answer has it", option.provider, option.instance));
}

double resident_bytes(const Model& model, const Workload& work) {
  const auto seen = model.resident_bytes.find(data_key(work));
  return seen == model.resident_bytes.end() ? least_memory_bytes / 2 : seen->second;
}

// So that the cache holds the same share of the sample as of the whole set; 0: all of it, no limit.
std::uint64_t sample_memory(const Setting& there, double resident, const LocalData& sample) {
  const auto memory = static_cast<double>(there.memory_bytes);
  const double cache = std::max(0.0, memory - static_cast<double>(there.resident_bytes));
  const double share = cache / static_cast<double>(std::max<std::uint64_t>(there.dataset_bytes, 1));
  if (share >= 1) {
    return 0;
  }
  return static_cast<std::uint64_t>(
      std::max(least_memory_bytes, resident + share * static_cast<double>(sample.bytes)));
}

// Two epochs, and the rate is that of the second and later ones (profiler/measure/assemble.h).
EpochKind epoch_kind(const VerificationRun& run, const Record& record) {
  const auto data = run.spec.workload.data;
  const bool reads =
      run.setting.dataset_bytes > 0 && (data == DataFormat::jpeg || data == DataFormat::recordio ||
                                        data == DataFormat::lmdb || data == DataFormat::tfrecord);
  return !reads ? EpochKind::alike : record.epochs < 2 ? EpochKind::first : EpochKind::later;
}

Way way_of(const Option& option) {
  return {option.batch_per_gpu, option.service ? 1 : option.nodes, option.preprocess_on_gpu};
}

}  // namespace

Candidate candidate_of(const Option& option, const Query& query, const Evidence& evidence) {
  const auto& offer = offer_of(option, query, evidence.catalog);
  CandidateMaker maker(
      query, evidence.catalog, evidence.gpu_rates, evidence.cpu_speeds, evidence.model.cpu());
  Refusal refusal{"its disk is not offered any more"};
  for (const auto& disk : maker.disks(offer)) {
    if (disk.label == option.disk) {
      if (auto made = maker.make(offer, disk, way_of(option), refusal)) {
        return *made;
      }
    }
  }
  throw UsageError(fmt::format("{}/{}: {}", option.provider, option.instance, refusal.reason));
}

Model model_of_run(const Candidate& candidate, const Query& query, const Evidence& evidence) {
  const auto& work = candidate.setting.workload;
  if (!computes_on_cpu(work) || measured_compute(evidence.model, work)) {
    return evidence.model;
  }
  Query own_program = query;
  own_program.framework.clear();
  own_program.stack.reset();
  own_program.loader = measured_loader;
  return model_for(own_program, evidence, candidate);
}

VerificationRun verification_run(const Candidate& candidate,
                                 const Model& model,
                                 const LocalData& sample,
                                 const Machine& here) {
  const auto emulation = emulate(candidate.setting, here);
  VerificationRun run;
  run.scale = emulation.scale;
  run.notes = emulation.notes;
  auto& spec = run.spec;
  spec.name = fmt::format("{}/{}", candidate.offer->provider, candidate.offer->instance);
  spec.campaign = "verify";
  spec.workload = candidate.setting.workload;
  spec.limits = emulation.limits;
  spec.limits.memory_bytes = 0;
  spec.limits.disk_write_bytes_per_s = 0;
  if (spec.workload.engine == EngineKind::replay) {
    spec.workload.replay_items_per_s = emulation.replay_items_per_s;
    spec.workload.batch = std::min(spec.workload.batch, emulated_batch);
    spec.workload.prefetch_batches = 2;
  }
  if (spec.workload.data != DataFormat::synthetic) {
    spec.workload.data_path = sample.path;
    spec.dataset_items = sample.items;
    spec.dataset_bytes = sample.bytes;
    spec.limits.memory_bytes =
        sample_memory(candidate.setting, resident_bytes(model, spec.workload), sample);
  }
  Record asked;
  asked.workload = spec.workload;
  asked.limits = spec.limits;
  asked.machine = here;
  asked.dataset_items = sample.items;
  asked.dataset_bytes = sample.bytes;
  asked.loader_threads = loader_threads_of(spec);
  run.setting = setting_of(asked);
  run.setting.resident_bytes = static_cast<std::uint64_t>(resident_bytes(model, spec.workload));
  return run;
}

Verification verification_of(const VerificationRun& run,
                             const Candidate& candidate,
                             const Model& model,
                             const Record& record) {
  const Predictor predictor(model, candidate.setting.workload);
  Verification verdict;
  verdict.epoch = epoch_kind(run, record);
  auto setting = run.setting;
  if (verdict.epoch == EpochKind::first) {
    setting.memory_bytes = 0;  // no page cache: whatever the machine has, it is empty then
  }
  const auto prediction = predictor.predict(setting);
  if (verdict.epoch != EpochKind::alike) {
    verdict.first_epoch_s =
        static_cast<double>(setting.dataset_items) / prediction.cold_items_per_s;
  }
  verdict.predicted = predictor.estimate(prediction, Source::fitted);
  setting.copy_before_step = false;
  verdict.overlapped = predictor.predict(setting).items_per_s;
  // Windows behind the end of the first epoch were read from the cache, in part.
  verdict.measured = verdict.epoch == EpochKind::first
                         ? record.cold_items_per_s.value_or(record.throughput.median)
                         : record.throughput.median;
  verdict.believed = is_usable(record);
  verdict.inside =
      verdict.measured >= verdict.predicted.low && verdict.measured <= verdict.predicted.high;
  return verdict;
}

std::string why_apart(const VerificationRun& run,
                      const Verification& verdict,
                      double answer,
                      int nodes) {
  constexpr double alike = 0.01;
  if (nodes > 1) {
    return fmt::format("the answer is of {} machines together, the run of one", nodes);
  }
  const double apart = answer * run.scale / verdict.predicted.value - 1;
  if (std::abs(apart) < alike) {
    return "";
  }
  const double by_copies = verdict.overlapped / verdict.predicted.value - 1;
  if (by_copies > apart / 2 && apart > 0) {
    return fmt::format(
        "the answer is {:.1f} % more: what stands for the GPU here copies, then computes, and a "
        "GPU does both at once",
        100 * apart);
  }
  return fmt::format(
      "the answer is {:.1f} % {}: vCPUs, memory and batch of the run are no exact part of the "
      "machine's",
      100 * std::abs(apart),
      apart > 0 ? "more" : "less");
}

}  // namespace rightsize
