#include "advisor/right_sizing/fewer_machines.h"

#include <algorithm>

#include "advisor/judge/pair_chance.h"
#include "advisor/right_sizing/against_today.h"
#include "advisor/suppose/appraisal.h"

namespace rightsize {
namespace {

// Those that are kept are better than the chosen ones, or as good: nothing is moved.
void stay_on_fewer(RightSizing& result) {
  result.move = false;
  result.p_better.reset();
  result.savings_share.reset();
  result.savings_per_month.reset();
  result.savings_per_job = result.p_missed = 0;
  result.risk = 0;
  result.effort = result.effort_reason = "";
  result.reason_codes.clear();
}

}  // namespace

void judge_fewer(const Recommendation& answer,
                 const CurrentMachine& today,
                 const Evidence& evidence,
                 bool to_be_left,
                 RightSizing& result) {
  if (to_be_left || !today.query.serves() || !machines_of(today.query)) {
    return;
  }
  Query as_it_takes = today.query;
  auto& kept = machines_of(as_it_takes);
  kept.reset();
  std::optional<Appraisal> enough;
  try {
    enough = Appraiser(as_it_takes, evidence).appraise(today.instance);
  } catch (const CannotDoJob&) {
    return;  // not even by as many as one likes
  }
  if (!enough->option.satisfies || enough->option.nodes >= result.current->nodes) {
    return;
  }
  result.fewer = enough->option;
  kept = enough->option.nodes;  // judged as who keeps them will find them judged
  if (result.move && !is_same_machine(*answer.chosen, enough->option, today.place)) {
    const auto then = Appraiser(answer.query, evidence).appraise(name_of(*answer.chosen));
    if (cannot_be_told_apart(chance_of_today(as_it_takes, *enough, answer.query, then))) {
      stay_on_fewer(result);
    }
  }
  result.finding = Finding::overprovisioned;
  constexpr const char* code = "MachinesOverprovisioned";
  auto& codes = result.reason_codes;
  if (std::find(codes.begin(), codes.end(), code) == codes.end()) {
    codes.insert(codes.begin(), code);
  }
}

}  // namespace rightsize
