#include "advisor/what_if.h"

#include <algorithm>
#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/appraisal.h"
#include "advisor/disk_for_job.h"
#include "advisor/json_values.h"
#include "advisor/named_disk.h"
#include "advisor/service_ratio.h"
#include "advisor/supposed_machine.h"

namespace rightsize {
namespace {

namespace json = boost::json;

// What advise would take with `mine` in the place of the instance of its name.
std::string chosen_with(const Recommendation& answer, const Option& mine) {
  const Option* best = mine.satisfies ? &mine : nullptr;
  for (const auto& option : answer.options) {
    const bool itself = full_name(option) == full_name(mine) && option.market == mine.market;
    if (!itself && option.satisfies && (best == nullptr || better(option, *best))) {
      best = &option;
    }
  }
  return best == nullptr ? "" : full_name(*best);
}

// The query with what is supposed of its load; the number of machines is this one's alone.
Query supposed_query(const Supposition& supposition, Query query, const Option& now) {
  if (!supposition.of_service()) {
    return query;
  }
  if (!query.service) {
    throw UsageError("qps, p99 and machines are of a service; this job has none (--qps, --slo)");
  }
  auto& service = *query.service;
  const auto suppose = [](const std::optional<Change>& change, const char* key, double& value) {
    if (change) {
      value = positive(key, change->of(value), value);
    }
  };
  suppose(supposition.requests_per_s, "qps", service.requests_per_s);
  suppose(supposition.p99_s, "p99", service.p99_s);
  if (supposition.machines) {
    const double machines = supposition.machines->of(now.service->machines);
    if (!(machines >= 1) || machines > 1e5 || machines != std::floor(machines)) {
      throw UsageError(fmt::format("machines: {:g} is no whole number from 1 to 100000", machines));
    }
    service.machines = static_cast<int>(machines);
  }
  return query;
}

// Another load may want another minibatch; what was asked for is kept.
std::vector<int> supposed_batches(const WhatIf& result, const Way& now) {
  const auto& supposition = result.supposition;
  return supposition.of_service() && !supposition.batch
             ? result.query.batches
             : std::vector<int>{supposed_batch(supposition, now.batch)};
}

// What is supposed, as this job reads it; else what it has now.
DiskChoice supposed_disk(const Supposition& supposition,
                         const Query& query,
                         const Evidence& evidence,
                         const Candidate& now) {
  if (supposition.disk.empty()) {
    return now.disk;
  }
  auto disk = let_through(
      disk_named(supposition.disk, evidence.catalog, query.dataset_bytes, "disk", now.offer->book),
      evidence.catalog,
      now.offer->instance);
  disk.speed = disk_for_job(disk.speed, query.shuffle, query.dataset_bytes, query.items);
  return disk;
}

// The instance as supposed, or nullopt with the reason.
std::optional<Appraisal> supposed_appraisal(WhatIf& result,
                                            const Evidence& evidence,
                                            const Appraisal& now) {
  const auto& supposition = result.supposition;
  const auto& query = result.supposed_query;
  const auto offer = supposed_offer(supposition, evidence, *now.candidate.offer, result.notes);
  CandidateMaker maker(
      query, evidence.catalog, evidence.gpu_rates, evidence.cpu_speeds, evidence.model.cpu_model);
  const auto disk = supposed_disk(supposition, query, evidence, now.candidate);
  if (!supposition.disk.empty() && query.format != DataFormat::synthetic) {
    result.reason = too_small(disk, query.dataset_bytes);
    if (!result.reason.empty()) {
      return std::nullopt;
    }
  }
  const Appraiser appraiser(query, evidence);
  std::optional<Appraisal> best;
  Way way = now.candidate.way;
  for (const int batch : supposed_batches(result, now.candidate.way)) {
    way.batch = batch;
    auto candidate = maker.make(offer, disk, way, result.reason);
    if (!candidate) {
      continue;
    }
    suppose_speeds(supposition, *candidate);
    auto judged = appraiser.judge(*candidate, result.reason);
    if (judged && (!best || better(judged->option, best->option))) {
      judged->candidate.offer = now.candidate.offer;  // ours ends here
      best = std::move(judged);
    }
  }
  if (best) {
    result.reason.clear();  // a minibatch that does not fit is no reason where another does
  }
  return best;
}

// What everybody else answers: another load is everybody's.
Recommendation answer_to_all(const WhatIf& result,
                             const Recommendation& answer,
                             const Evidence& evidence) {
  if (!result.supposition.requests_per_s && !result.supposition.p99_s) {
    return answer;
  }
  Query query = result.supposed_query;
  query.service->machines = result.query.service->machines;
  return search(query, evidence);
}

}  // namespace

WhatIf what_if(const Query& query,
               const Evidence& evidence,
               const std::string& instance,
               const Supposition& supposition) {
  const auto answer = search(query, evidence);
  if (instance.empty() && answer.options.empty()) {
    throw UsageError("nothing can do this job at all; name an instance, or see rightsize advise");
  }
  Appraiser appraiser(query, evidence);
  const auto now =
      appraiser.appraise(instance.empty() ? full_name(answer.options.front()) : instance);
  WhatIf result;
  result.query = query;
  result.supposed_query = supposed_query(supposition, query, now.option);
  result.supposition = supposition;
  result.now = now.option;
  result.chosen_now = answer.chosen ? full_name(*answer.chosen) : "";
  result.chosen_supposed = result.chosen_now;
  const auto supposed = supposed_appraisal(result, evidence, now);
  if (!supposed) {
    return result;
  }
  result.supposed = supposed->option;
  result.ratios =
      query.service
          ? fleet_ratios({*query.service, now}, {*result.supposed_query.service, *supposed}, true)
          : ratios_of(now, *supposed, true);
  const auto others = answer_to_all(result, answer, evidence);
  if (supposition.machines) {  // renting fewer or more of it changes nobody's answer
    result.chosen_supposed = others.chosen ? full_name(*others.chosen) : "";
  } else {
    result.chosen_supposed = chosen_with(others, supposed->option);
  }
  return result;
}

json::object to_json(const WhatIf& what_if) {
  json::object document{{"schema", "rightsize/what-if/1"},
                        {"tool_version", RIGHTSIZE_VERSION},
                        {"supposed", json::value_from(what_if.supposition.words)},
                        {"now", to_json(what_if.now, 1)},
                        {"then", nullptr},
                        {"reason", or_null(what_if.reason)},
                        {"ratios", nullptr},
                        {"chosen_now", or_null(what_if.chosen_now)},
                        {"chosen_then", or_null(what_if.chosen_supposed)},
                        {"notes", json::value_from(what_if.notes)}};
  if (what_if.supposed) {
    document["then"] = to_json(*what_if.supposed, 1);
    document["ratios"] = to_json(what_if.ratios, what_if.supposed->service.has_value());
  }
  return document;
}

}  // namespace rightsize
