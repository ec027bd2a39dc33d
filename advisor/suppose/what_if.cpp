#include "advisor/suppose/what_if.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/explain/asked_ratio.h"
#include "advisor/full_name.h"
#include "advisor/json_values.h"
#include "advisor/judge/near_ties.h"
#include "advisor/judge/standing_order.h"
#include "advisor/suppose/appraisal.h"
#include "advisor/suppose/supposed_appraisal.h"
#include "advisor/suppose/supposed_query.h"
#include "advisor/way_out/nothing_satisfies.h"

namespace rightsize {
namespace {

namespace json = boost::json;

// What advise would take with `mine` in the place of the instance of its name.
const Option* chosen_with(const Recommendation& answer, const Option& mine) {
  std::vector<const Option*> field;
  if (mine.satisfies) {
    field.push_back(&mine);
  }
  for (const auto& option : answer.options) {
    if (full_name(option) != full_name(mine) && option.satisfies) {
      field.push_back(&option);
    }
  }
  std::stable_sort(
      field.begin(), field.end(), [](const Option* a, const Option* b) { return better(*a, *b); });
  if (knows_near_ties(answer.query)) {
    order_near_ties(field, [](const Option* option) { return NearTie(*option); });
  }
  return field.empty() ? nullptr : field.front();
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
  const bool asked_else =
      supposition.requests_per_s || supposition.p99_s || supposition.first_token_s ||
      supposition.token_s || supposition.prompt_tokens || supposition.output_tokens ||
      supposition.cached_prompt_tokens || supposition.prompt_stddev || supposition.output_stddev ||
      supposition.burst || supposition.service_hours || supposition.of_work() ||
      supposition.of_amount() || !supposition.weights.empty() || !supposition.preprocess_on.empty();
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

// What the whole answer is then.
void take_answer(const Recommendation& answer, const Evidence& evidence, WhatIf& result) {
  const auto others = answer_to_all(result, answer, evidence);
  const auto* best = chosen_with(others, *result.supposed);
  result.chosen_supposed = best == nullptr ? "" : full_name(*best);
  result.chosen_typically =
      best != nullptr && wins_typically(result.query, *best, *result.supposed);
  result.chosen_near_tie = best != nullptr && wins_near_tie(result.query, *best, *result.supposed);
  keep_own_fleet(others, result.supposition, result);
}

// Of another job that an instance can do, which cannot do this one for `reason`. Throws CannotDoJob
// where it can do neither, or something of the instance is supposed.
WhatIf of_another_job(WhatIf result,
                      const OfferName& name,
                      const Recommendation& answer,
                      const Evidence& evidence,
                      const CannotDoJob& as_it_is) {
  const auto& supposition = result.supposition;
  if (is_another_machine(supposition) || supposition.machines) {
    throw as_it_is;
  }
  result.supposed_query = supposed_query(supposition, result.query, {});
  result.supposed = Appraiser(result.supposed_query, evidence).appraise(name).option;
  note_supposition(supposition, result.query, *result.supposed, result.notes);
  result.cannot_now = as_it_is.why.reason;
  take_answer(answer, evidence, result);
  return result;
}

}  // namespace

WhatIf what_if(const Query& asked,
               const Evidence& evidence,
               const std::string& instance,
               const Supposition& supposition) {
  const auto name = read_machine_name(evidence.catalog, instance);
  const auto query = reaching(asked, name);
  const auto answer = search(query, evidence);
  if (instance.empty() && answer.options.empty()) {
    throw NothingSatisfies(nothing_words(answer, "name the instance to suppose it of"));
  }
  WhatIf result;
  result.query = query;
  result.supposition = supposition;
  result.chosen_now = answer.chosen ? full_name(*answer.chosen) : "";
  result.chosen_supposed = result.chosen_now;
  for (auto& row : reached(asked, name)) {
    result.notes.push_back(std::move(row.why));
  }
  Appraiser appraiser(query, evidence);
  std::optional<Appraisal> appraised;
  try {
    appraised = appraiser.appraise(instance.empty() ? name_of(answer.options.front()) : name);
  } catch (const CannotDoJob& as_it_is) {
    return of_another_job(std::move(result), name, answer, evidence, as_it_is);
  }
  const auto& now = *appraised;
  result.supposed_query = supposed_query(supposition, query, now.option);
  if (result.supposition.price) {
    result.supposition.price->count_in(now.option.price_per_hour.currency(), query);
  }
  result.now = now.option;
  note_supposition(supposition, query, now.option, result.notes);
  const auto supposed = supposed_appraisal(result, evidence, now);
  if (!supposed) {
    return result;
  }
  result.supposed = supposed->option;
  note_other_way(now.option, *result.supposed, result.supposed_query.precision, result.notes);
  result.ratios = ratios_between({query, now}, {result.supposed_query, *supposed}, true);
  take_answer(answer, evidence, result);
  return result;
}

json::object to_json(const WhatIf& what_if) {
  json::object document{{"schema", "rightsize/what-if/1"},
                        {"tool_version", RIGHTSIZE_VERSION},
                        {"supposed", json::value_from(what_if.supposition.words)},
                        {"now", nullptr},
                        {"cannot_now", or_null(what_if.cannot_now)},
                        {"then", nullptr},
                        {"reason", or_null(what_if.reason)},
                        {"ratios", nullptr},
                        {"chosen_now", or_null(what_if.chosen_now)},
                        {"chosen_then", or_null(what_if.chosen_supposed)},
                        {"notes", json::value_from(what_if.notes)}};
  if (what_if.now) {
    document["now"] = to_json(*what_if.now, 0);
  }
  if (what_if.supposed) {
    document["then"] = to_json(*what_if.supposed, 0);
  }
  if (what_if.does_both()) {
    document["ratios"] = to_json(what_if.ratios, what_if.query.serves());
  }
  return document;
}

}  // namespace rightsize
