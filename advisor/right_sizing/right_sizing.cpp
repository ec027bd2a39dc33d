#include "advisor/right_sizing/right_sizing.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/candidate/constraint.h"
#include "advisor/explain/asked_ratio.h"
#include "advisor/explain/comparison.h"
#include "advisor/judge/pair_chance.h"
#include "advisor/right_sizing/against_today.h"
#include "advisor/right_sizing/current_machine.h"
#include "advisor/right_sizing/fewer_machines.h"
#include "advisor/right_sizing/migration.h"
#include "advisor/right_sizing/reason_codes.h"
#include "advisor/suppose/appraisal.h"
#include "advisor/suppose/offer_name.h"

namespace rightsize {
namespace {

// 0 where it is not published.
double memory_gib_of(const Catalog& catalog, const std::string& name) {
  for (const auto* offer : offers_named(catalog, name)) {
    if (offer->memory_gib) {
      return *offer->memory_gib;
    }
  }
  return 0;
}

void note_effort(MigrationEffort effort, RightSizing& result) {
  result.effort = std::move(effort.word);
  result.effort_reason = std::move(effort.reason);
}

// Of machines that no appraisal looked at.
void note_effort_by_name(const Catalog& catalog,
                         const std::string& from,
                         const Option& to,
                         RightSizing& result) {
  const auto now = offers_named(catalog, from);
  const auto then = offers_named(catalog, name_of(to).instance);
  if (!now.empty() && !then.empty()) {
    constexpr bool in_place = false;
    note_effort(migration_effort(*now.front(), *then.front(), in_place), result);
  }
}

// The codes for a machine that cannot do the job at all; none that the move to `chosen` does not
// follow.
std::vector<std::string> codes_of(Lacking lacking,
                                  double memory_gib,
                                  const std::optional<Option>& chosen) {
  const bool more_memory = !chosen || chosen->nodes * chosen->memory_gib > memory_gib;
  const bool a_gpu = !chosen || !chosen->gpu.empty();
  if (lacking == Lacking::gpu_memory && a_gpu) {
    return {"GPUMemoryUnderprovisioned"};
  }
  if (lacking == Lacking::host_memory && more_memory) {
    return {"MemoryUnderprovisioned"};
  }
  return {};
}

// `now` and `then` are the two appraised; `current` may be all there is.
void judge_move(const Query& query,
                const Appraisal& now,
                const Appraisal& then,
                const Ratios& ratios,
                RightSizing& result) {
  result.move = true;
  const auto& ratio = ratios.cost;
  result.savings_share =
      Estimate{1 - ratio.value, 1 - ratio.high, 1 - ratio.low, ratio.confidence, "1", ratio.source};
  result.savings_per_job = now.option.cost.value - then.option.cost.value;
  if (query.serves()) {
    result.savings_per_month = result.savings_per_job;
  } else if (query.runs_per_month) {
    result.savings_per_month = result.savings_per_job * *query.runs_per_month;
  }
  result.p_missed = 1 - then.option.p_deadline;
  result.risk = risk_score(result.p_missed);
  const bool in_place = !result.place.empty();
  note_effort(migration_effort(*now.candidate.offer, *then.candidate.offer, in_place), result);
}

// The day the provider ended it; "" where it is sold somewhere in the book and market, or unknown.
std::string retired_on(const Query& query, const Catalog& catalog, const std::string& name) {
  const OfferConstraints constraints(query);
  std::string day;
  for (const auto* offer : offers_named(catalog, name)) {
    if (constraints.in_scope(*offer)) {
      if (offer->retired_on.empty()) {
        return "";
      }
      day = offer->retired_on;
    }
  }
  return day;
}

// Today's machine among the options has its rank and chance from there; elsewhere it has neither.
void note_rank(const Recommendation& answer, RightSizing& result) {
  auto& current = *result.current;
  for (const auto& option : answer.options) {
    if (is_same_machine(option, current, result.place) && option.nodes == current.nodes) {
      current.rank = option.rank;
      current.p_cheapest = option.p_cheapest;
    }
  }
}

// Whether money is all that is wrong: it does what is asked, in time, and costs too much.
bool is_only_too_dear(const Query& query, const Evidence& evidence, const Appraisal& now) {
  if (!query.budget || now.option.satisfies) {
    return false;
  }
  Query at_any_cost = query;
  at_any_cost.budget.reset();
  Refusal refusal;
  const auto judged = Appraiser(at_any_cost, evidence).judge(now.candidate, refusal);
  return judged && judged->option.satisfies;
}

void judge_current(const Recommendation& answer,
                   const Evidence& evidence,
                   const Query& query,
                   const Appraisal& now,
                   bool to_be_left,
                   RightSizing& result) {
  result.current = now.option;
  const bool too_dear = is_only_too_dear(query, evidence, now);
  if (!now.option.satisfies && !too_dear) {
    result.finding = Finding::underprovisioned;
  } else if (to_be_left || too_dear) {
    result.finding = Finding::not_optimized;
  }
  std::optional<Appraisal> then;
  if (answer.chosen) {
    Appraiser appraiser(answer.query, evidence);
    then = appraiser.appraise(name_of(*answer.chosen));
    const auto& by = judged_by(query, now.option, answer.query, then->option);
    const auto ratios = ratios_between({query, now}, {by, *then});
    const bool itself = is_same_machine(then->option, now.option, result.place) &&
                        then->option.nodes == now.option.nodes;
    const double p_today = itself ? 0.5 : chance_of_today(query, now, answer.query, *then);
    if (now.option.satisfies && !itself && !to_be_left) {
      result.p_better = 1 - p_today;
    }
    if (now.option.satisfies && !cannot_be_told_apart(p_today)) {
      result.finding = Finding::not_optimized;
    }
    if (result.finding != Finding::optimized) {
      judge_move(query, now, *then, ratios, result);
    }
  }
  if (result.finding != Finding::optimized && !to_be_left) {
    result.reason_codes = reason_codes({query, answer.query, evidence, now, then},
                                       result.finding == Finding::underprovisioned);
  }
  if (result.finding == Finding::not_optimized && !result.reason_codes.empty()) {
    result.finding = Finding::overprovisioned;
  }
}

// Of a service whose machines were not counted.
void note_number(const Query& query, RightSizing& result) {
  result.counted = !query.serves() || machines_of(query);
  if (!result.counted && result.reason.empty()) {
    result.reason = fmt::format(
        "how many run today was not said: {0} are taken, and more or fewer where their true speed "
        "takes them; --current '{0} x {1}' holds them to that number, and may be judged otherwise",
        result.current->nodes,
        result.name);
  }
}

// Places and markets are asked of what to move to; what runs today is judged as it runs.
void note_scope(const Recommendation& answer,
                const CurrentMachine& today,
                const std::vector<const Offer*>& named,
                RightSizing& result) {
  if (in_scope(in_scope(named, today.query), answer.query).empty()) {
    result.reason += result.reason.empty() ? "" : "; ";
    result.reason += "outside the places and markets asked for, which are of what to move to";
  }
}

// Of a machine that cannot do the job, or that nobody here can judge.
void judge_unable(const Recommendation& answer,
                  const Catalog& catalog,
                  const std::string& instance,
                  const Refusal& why,
                  RightSizing& result) {
  const bool unknown = why.lacking == Lacking::evidence;
  result.finding = unknown                                 ? Finding::not_judged
                   : why.lacking == Lacking::not_asked_for ? Finding::not_optimized
                                                           : Finding::underprovisioned;
  result.reason = why.reason;
  result.reason_codes = codes_of(why.lacking, memory_gib_of(catalog, instance), answer.chosen);
  if (answer.chosen && !unknown) {
    result.move = true;
    result.p_missed = 1 - answer.chosen->p_deadline;
    result.risk = risk_score(result.p_missed);
    note_effort_by_name(catalog, instance, *answer.chosen, result);
  }
}

}  // namespace

int risk_score(double p_missed) {
  constexpr double limits[] = {0.01, 0.05, 0.15, 0.40};
  return static_cast<int>(std::count_if(
      std::begin(limits), std::end(limits), [&](double limit) { return p_missed >= limit; }));
}

RightSizing right_size(const Recommendation& answer,
                       const Evidence& evidence,
                       const std::string& current) {
  const auto today = read_current(evidence.catalog, answer.query, current);
  const auto& query = today.query;
  RightSizing result;
  result.name = current;
  result.place = today.place;
  // What is no longer rented out runs on where it does already: it is judged as it was sold.
  std::optional<Catalog> sold;
  if (const auto day = retired_on(query, evidence.catalog, today.instance); !day.empty()) {
    sold = evidence.catalog;
    sold->note_retired("");
    result.reason = "retired by the provider on " + day + ": nobody can rent it again";
  }
  const Evidence once{
      evidence.model, sold ? *sold : evidence.catalog, evidence.gpu_rates, evidence.cpu_speeds};
  const OfferConstraints constraints(answer.query);
  const auto named = offers_named(evidence.catalog, today.instance);
  const bool denied = std::any_of(
      named.begin(), named.end(), [&](const Offer* offer) { return constraints.denies(*offer); });
  if (denied) {
    result.reason += result.reason.empty() ? "on the deny list" : "; on the deny list";
  }
  // What nobody rents out again no job can be run on, however good it was; a service runs on.
  const bool to_be_left = denied || (sold && !query.serves());
  Appraiser appraiser(query, once);
  require_one_cpu(query, once.catalog, current, today.instance);
  try {
    const auto now = appraiser.appraise(OfferName{today.instance, "", {}, today.by_month});
    judge_current(answer, evidence, query, now, to_be_left, result);
    judge_fewer(answer, today, once, to_be_left, result);
    note_rank(answer, result);
    note_number(query, result);
    note_scope(answer, today, named, result);
  } catch (const CannotDoJob& cannot) {
    judge_unable(answer, evidence.catalog, today.instance, cannot.why, result);
  }
  return result;
}

}  // namespace rightsize
