#include "advisor/suppose/supposed_appraisal.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "advisor/candidate/constraint.h"
#include "advisor/candidate/preprocessing.h"
#include "advisor/judge/standing_order.h"
#include "advisor/machine/named_disk.h"
#include "advisor/suppose/supposed_disk.h"
#include "advisor/suppose/supposed_machine.h"
#include "kernels/longer_sequence.h"

namespace rightsize {
namespace {

// Whether a GPU prepares pictures, in each way that may be.
std::vector<bool> supposed_preparers(const WhatIf& result, const Offer& offer, const Way& now) {
  if (result.supposition.preprocess_on.empty()) {
    return {now.preprocess_on_gpu};
  }
  const auto where =
      offer.gpu.empty() ? PreprocessChoice::cpu : result.supposed_query.preprocess_on;
  return where == PreprocessChoice::either ? std::vector{false, true}
                                           : std::vector{where == PreprocessChoice::gpu};
}

// Another load, and another GPU, may want another batch or another way to share the GPUs; what was
// asked for is kept.
std::vector<Way> supposed_ways(const WhatIf& result,
                               CandidateMaker& maker,
                               const Offer& offer,
                               const Way& now) {
  if (result.query.tokens) {
    return maker.ways(offer);
  }
  const auto& supposition = result.supposition;
  const bool chosen_anew = supposition.of_service() || supposition.of_work() ||
                           supposition.of_amount() || !supposition.gpu.empty();
  const auto batches = chosen_anew && !supposition.batch
                           ? maker.batches(offer, now.nodes)
                           : std::vector<int>{supposed_batch(supposition, now.batch)};
  std::vector<Way> ways;
  for (const bool on_gpu : supposed_preparers(result, offer, now)) {
    for (const int batch : batches) {
      ways.push_back(now);
      ways.back().batch = batch;
      ways.back().preprocess_on_gpu = on_gpu;
    }
  }
  return ways;
}

// Of a machine at another price another disk may be the best, and what is worked through may not
// fit the one of now: all that it can be rented with.
std::vector<DiskChoice> supposed_disks(const Supposition& supposition,
                                       const CandidateMaker& maker,
                                       const Offer& offer,
                                       const DiskChoice& kept) {
  if (supposition.of_amount() && supposition.disk.empty()) {
    return maker.disks(offer);
  }
  const bool chosen_anew = supposition.price && supposition.disk.empty() && !supposition.vcpus;
  auto disks = chosen_anew ? maker.disks(offer) : std::vector<DiskChoice>();
  disks.insert(disks.begin(), kept);
  return disks;
}

// Why the supposed disk cannot be taken, or "".
std::string why_not_on_disk(const DiskChoice& disk, const Appraisal& now, WhatIf& result) {
  auto reason =
      too_small(disk, {bytes_held(result.supposed_query), now.candidate.model_files.bytes()});
  if (reason.empty() && disk.volume == nullptr && now.candidate.disk.volume != nullptr) {
    result.notes.push_back(fmt::format(
        "no table has a price of that disk: the cost is without one, while today's has the {}; "
        "a class of a provider's, such as gp3:500GiB, is billed",
        now.option.disk));
  }
  return reason;
}

void note_length(const Query& query, WhatIf& result) {
  if (const auto trained = exceeded_length(query.network, query.sequence, query.phase)) {
    result.notes.push_back(
        fmt::format("sequences of {} tokens are longer than the {} of training: {}",
                    query.sequence,
                    trained,
                    longer_positions));
  }
}

}  // namespace

std::optional<Appraisal> supposed_appraisal(WhatIf& result,
                                            const Evidence& evidence,
                                            const Appraisal& now) {
  const auto& supposition = result.supposition;
  const auto& query = result.supposed_query;
  const auto offer = supposed_offer(supposition, evidence, *now.candidate.offer, result.notes);
  note_length(query, result);
  if (const auto why = OfferConstraints(query).refusal_of(offer)) {
    result.notes.push_back("advise would leave such a machine out: " + why->reason);
  }
  if (supposition.preprocess_on == "gpu" && offer.gpu.empty()) {
    result.notes.emplace_back("preprocess-on: it has no GPU, its vCPUs prepare the pictures");
  }
  CandidateMaker maker(
      query, evidence.catalog, evidence.gpu_rates, evidence.cpu_speeds, evidence.model.cpu());
  std::optional<VolumeClass> held;  // the disk borrows it
  const auto disk = supposed_disk(supposition, query, evidence, now.candidate, held, result.notes);
  if (!supposition.disk.empty() && !query.serves()) {
    result.reason = why_not_on_disk(disk, now, result);
    if (!result.reason.empty()) {
      return std::nullopt;
    }
  }
  const Appraiser appraiser(query, evidence);
  std::optional<Appraisal> best;
  Refusal refusal;
  const auto ways = supposed_ways(result, maker, offer, now.candidate.way);
  for (const auto& each : supposed_disks(supposition, maker, offer, disk)) {
    for (const auto& way : ways) {
      auto candidate = maker.make(offer, each, way, refusal);
      if (!candidate) {
        continue;
      }
      suppose_speeds(supposition, *candidate);
      auto judged = appraiser.judge(*candidate, refusal);
      if (judged && (!best || better_way(judged->option, best->option))) {
        judged->candidate.offer = now.candidate.offer;  // ours ends here, and so do its disks
        judged->candidate.disk.volume = nullptr;
        best = std::move(judged);
      }
    }
  }
  // A minibatch that does not fit is no reason where another does.
  result.reason = best ? "" : refusal.reason;
  return best;
}

}  // namespace rightsize
