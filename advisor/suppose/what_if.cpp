#include "advisor/suppose/what_if.h"

#include <algorithm>
#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/candidate/constraint.h"
#include "advisor/candidate/preprocessing.h"
#include "advisor/explain/asked_ratio.h"
#include "advisor/full_name.h"
#include "advisor/json_values.h"
#include "advisor/judge/standing_order.h"
#include "advisor/machine/named_disk.h"
#include "advisor/suppose/appraisal.h"
#include "advisor/suppose/supposed_disk.h"
#include "advisor/suppose/supposed_machine.h"
#include "advisor/suppose/supposed_query.h"
#include "advisor/way_out/nothing_satisfies.h"

namespace rightsize {
namespace {

namespace json = boost::json;

// What advise would take with `mine` in the place of the instance of its name.
const Option* chosen_with(const Recommendation& answer, const Option& mine) {
  const Option* best = mine.satisfies ? &mine : nullptr;
  for (const auto& option : answer.options) {
    const bool itself = full_name(option) == full_name(mine);
    if (!itself && option.satisfies && (best == nullptr || better(option, *best))) {
      best = &option;
    }
  }
  return best;
}

// Whether something of this machine is supposed that others do not share.
bool is_another_machine(const Supposition& supposed) {
  return supposed.vcpus || supposed.memory_gib || !supposed.disk.empty() || supposed.batch ||
         !supposed.gpu.empty() || supposed.price || supposed.gpu_speed || supposed.cpu_speed ||
         supposed.per_replica;
}

// Where of the machine nothing but its number is supposed, as many as it takes are still for rent.
void keep_own_fleet(const Recommendation& others, const Supposition& supposition, WhatIf& result) {
  if (!supposition.machines || is_another_machine(supposition) || !others.chosen) {
    return;
  }
  const auto& mine = *result.supposed;
  const auto& own = *others.chosen;
  const bool itself = full_name(own) == full_name(mine);
  if (itself && own.nodes != mine.nodes) {
    result.chosen_supposed = full_name(own);
    result.chosen_machines = own.nodes;
  }
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
  const bool chosen_anew =
      supposition.of_service() || supposition.of_work() || !supposition.gpu.empty();
  const auto batches = chosen_anew && !supposition.batch
                           ? maker.batches(offer, now.nodes)
                           : std::vector<int>{supposed_batch(supposition, now.batch)};
  std::vector<Way> ways;
  for (const int batch : batches) {
    ways.push_back(now);
    ways.back().batch = batch;
  }
  return ways;
}

// Of a machine at another price another disk may be the best: all that it can be rented with.
std::vector<DiskChoice> supposed_disks(const Supposition& supposition,
                                       const CandidateMaker& maker,
                                       const Offer& offer,
                                       const DiskChoice& kept) {
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

// The instance as supposed, or nullopt with the reason.
std::optional<Appraisal> supposed_appraisal(WhatIf& result,
                                            const Evidence& evidence,
                                            const Appraisal& now) {
  const auto& supposition = result.supposition;
  const auto& query = result.supposed_query;
  const auto offer = supposed_offer(supposition, evidence, *now.candidate.offer, result.notes);
  if (const auto why = OfferConstraints(query).refusal_of(offer)) {
    result.notes.push_back("advise would leave such a machine out: " + why->reason);
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

// What everybody else answers: another load, another limit and other weights are everybody's; how
// many machines, and how they share their GPUs, is this one's alone.
Recommendation answer_to_all(const WhatIf& result,
                             const Recommendation& answer,
                             const Evidence& evidence) {
  const auto& supposition = result.supposition;
  Query query = result.supposed_query;
  if (query.service) {
    query.service->machines = result.query.service->machines;
  }
  if (query.tokens) {
    query.tokens->machines = result.query.tokens->machines;
    query.tokens->per_replica = result.query.tokens->per_replica;
  }
  const bool asked_else = supposition.requests_per_s || supposition.p99_s ||
                          supposition.first_token_s || supposition.token_s ||
                          supposition.prompt_tokens || supposition.output_tokens ||
                          supposition.of_work() || !supposition.weights.empty();
  return asked_else ? search(query, evidence) : answer;
}

// How the training program would have to run otherwise than it does, which nobody asked for.
void note_other_way(const Option& now,
                    const Option& then,
                    Precision wanted,
                    std::vector<std::string>& notes) {
  if (then.recompute != now.recompute) {
    notes.emplace_back(
        then.recompute
            ? "its activations do not fit otherwise: blocks are run again in the backward pass "
              "(recompute), which the time holds"
            : "activations fit as they are: no block is run again in the backward pass any more");
  }
  if (then.sharded != now.sharded) {
    notes.emplace_back(
        then.sharded ? "the GPUs share parameters, gradients and optimizer (FSDP, ZeRO stage 3): "
                       "whole copies do not fit, or are slower"
                     : "each GPU holds all parameters, gradients and optimizer: they are no longer "
                       "shared");
  }
  if (then.precision != now.precision && then.precision != wanted) {
    notes.push_back(fmt::format(
        "that GPU computes in {}, not in {}", to_string(then.precision), to_string(wanted)));
  }
}

// explain asks the same of all machines at once, and finds other points.
void note_whose_speed(const Supposition& supposition,
                      const Option& now,
                      std::vector<std::string>& notes) {
  const auto alone = [&](const char* key, const std::string& others) {
    notes.push_back(fmt::format(
        "{} is of {} alone, and all others keep theirs; where rightsize explain says what would "
        "change the answer, it moves {}",
        key,
        full_name(now),
        others));
  };
  if (supposition.gpu_speed) {
    alone("gpu-speed",
          now.gpu.empty() ? "every CPU" : fmt::format("every machine with a {}", now.gpu));
  }
  if (supposition.cpu_speed) {
    alone("cpu-speed", "every CPU");
  }
}

// What is known of a supposition before its machine is asked about.
void note_supposition(const Supposition& supposition,
                      const Query& query,
                      const Option& now,
                      std::vector<std::string>& notes) {
  const auto idle = idle_suppositions(supposition, query);
  notes.insert(notes.end(), idle.begin(), idle.end());
  if (query.serves() && (supposition.gpu_speed || supposition.cpu_speed)) {
    notes.emplace_back(
        "a supposed speed is as uncertain as the predicted one: the machines have the same margin "
        "for it");
  }
  note_whose_speed(supposition, now, notes);
}

}  // namespace

WhatIf what_if(const Query& asked,
               const Evidence& evidence,
               const std::string& instance,
               const Supposition& supposition) {
  const auto name = read_offer_name(evidence.catalog, instance, "");
  const auto query = reaching(asked, name);
  const auto answer = search(query, evidence);
  if (instance.empty() && answer.options.empty()) {
    throw NothingSatisfies(nothing_words(answer, "name the instance to suppose it of"));
  }
  Appraiser appraiser(query, evidence);
  const auto now = instance.empty() ? appraiser.appraise(name_of(answer.options.front()))
                                    : appraiser.appraise(name);
  WhatIf result;
  result.query = query;
  result.supposed_query = supposed_query(supposition, query, now.option);
  result.supposition = supposition;
  if (result.supposition.price) {
    result.supposition.price->count_in(now.option.price_per_hour.currency(), query);
  }
  result.now = now.option;
  result.chosen_now = answer.chosen ? full_name(*answer.chosen) : "";
  result.chosen_supposed = result.chosen_now;
  for (auto& row : reached(asked, name)) {
    result.notes.push_back(std::move(row.why));
  }
  note_supposition(supposition, query, now.option, result.notes);
  const auto supposed = supposed_appraisal(result, evidence, now);
  if (!supposed) {
    return result;
  }
  result.supposed = supposed->option;
  note_other_way(result.now, *result.supposed, result.supposed_query.precision, result.notes);
  result.ratios = ratios_between({query, now}, {result.supposed_query, *supposed}, true);
  const auto others = answer_to_all(result, answer, evidence);
  const auto* best = chosen_with(others, *result.supposed);
  result.chosen_supposed = best == nullptr ? "" : full_name(*best);
  result.chosen_typically = best != nullptr && wins_typically(query, *best, *result.supposed);
  keep_own_fleet(others, supposition, result);
  return result;
}

json::object to_json(const WhatIf& what_if) {
  json::object document{{"schema", "rightsize/what-if/1"},
                        {"tool_version", RIGHTSIZE_VERSION},
                        {"supposed", json::value_from(what_if.supposition.words)},
                        {"now", to_json(what_if.now, 0)},
                        {"then", nullptr},
                        {"reason", or_null(what_if.reason)},
                        {"ratios", nullptr},
                        {"chosen_now", or_null(what_if.chosen_now)},
                        {"chosen_then", or_null(what_if.chosen_supposed)},
                        {"notes", json::value_from(what_if.notes)}};
  if (what_if.supposed) {
    document["then"] = to_json(*what_if.supposed, 0);
    document["ratios"] = to_json(what_if.ratios, what_if.query.serves());
  }
  return document;
}

}  // namespace rightsize
