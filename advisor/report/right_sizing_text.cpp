#include "advisor/report/right_sizing_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/full_name.h"
#include "advisor/judge/pair_chance.h"
#include "advisor/report/option_text.h"
#include "advisor/report/savings_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/todays_advice.h"
#include "advisor/report/token_text.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

// Both by name; with their places where it is the same machine but for those.
std::pair<std::string, std::string> move_labels(const RightSizing& it, const Option& then) {
  const auto& now = *it.current;
  auto from = instance_label(now);
  auto to = instance_label(then);
  if (from == to && !it.place.empty() && now.region != then.region) {
    from += fmt::format(" ({})", place(now));
    to += fmt::format(" ({})", place(then));
  }
  return {std::move(from), std::move(to)};
}

std::string job_price(const Option& option) {
  return "~" + money(option.cost.value, option.cost.unit);
}

// "~31.8 ms", "never".
std::string about(double seconds) {
  return std::isinf(seconds) ? "never" : "~" + latency(seconds);
}

// Why Stay.
std::string nothing_better(const Recommendation& answer) {
  const auto today = instance_label(*answer.current->current);
  for (const auto& option : answer.options) {
    const bool another = option.rank > 1 && instance_label(option) != today;
    if (!answer.query.serves() && another && is_likelier(option.p_cheapest)) {
      return fmt::format("{} is {} with {}, and worse by more where it is not",
                         instance_label(option),
                         comparative(answer.query.objective),
                         chance(option.p_cheapest));
    }
  }
  return fmt::format("nothing is over {} likely to be {}",
                     percent(1 - tie_chance),
                     comparative(answer.query.objective));
}

// How soon it answers.
std::string soon(const Option& option) {
  return option.tokens ? waiting_words(*option.tokens) : "p99 " + about(option.p99.value);
}

// "3 x g6.xlarge"; where nobody said how many run, what it takes is not told as what there is.
std::string machines_of_today(const RightSizing& it, const std::string& label) {
  return it.counted ? fmt::format("{} x {}", it.current->nodes, label)
                    : fmt::format("{}, of which it takes {}", label, it.current->nodes);
}

// "Move from 6 x g6.xlarge to 2 x g5.xlarge"; of another number of the same where nothing else of
// them changes, "Keep 1 of 6 x g6.xlarge".
std::string step_words(const Recommendation& answer,
                       const std::string& from,
                       const std::string& to) {
  const auto& it = *answer.current;
  const int nodes = answer.chosen->nodes;
  const auto today = machines_of_today(it, from);
  const auto advice = todays_advice(answer);
  if (it.counted && advice.resizes() && from == to) {
    return advice.kind == TodaysAdvice::Kind::fewer
               ? fmt::format("Keep {} of {}", nodes, today)
               : fmt::format("Grow from {} to {}", today, nodes);
  }
  return fmt::format("Move from {}{} to {} x {}", today, it.counted ? "" : ",", nodes, to);
}

std::string service_move(const Recommendation& answer, const RightSizing& it) {
  const auto& now = *it.current;
  const auto name = machines_of_today(it, instance_label(now));
  if (!it.move && it.fewer) {
    return fmt::format("Keep {} of {}: {} a month instead of {}, {}; {}.",
                       it.fewer->nodes,
                       name,
                       job_price(*it.fewer),
                       job_price(now),
                       soon(*it.fewer),
                       nothing_better(answer));
  }
  if (!it.move) {
    return fmt::format(
        "Stay on {}: {} a month, {}; {}.", name, job_price(now), soon(now), nothing_better(answer));
  }
  const auto [from, to] = move_labels(it, *answer.chosen);
  return fmt::format("{}: {} a month instead of {}, {} instead of {}{}.",
                     step_words(answer, from, to),
                     job_price(*answer.chosen),
                     job_price(now),
                     soon(*answer.chosen),
                     now.tokens ? soon(now) : about(now.p99.value),
                     now.satisfies ? "" : fmt::format(" ({} {})", name, now.shortfall));
}

std::string risk_text(const Recommendation& answer, const RightSizing& it) {
  const bool limited = answer.query.deadline_s || answer.query.budget || answer.query.serves();
  return limited ? fmt::format("{} of 4 ({} chance of missing the constraints)",
                               it.risk,
                               it.p_missed == 0 ? "no" : chance(it.p_missed))
                 : "0 of 4 (no deadline or budget is set: nothing to miss)";
}

// Today's kind of machine in a number of its own choice, as the table ranks it, with its "=".
bool ties_once_resized(const Recommendation& answer) {
  const auto& now = *answer.current->current;
  return answer.query.serves() && std::any_of(answer.ties.begin(), answer.ties.end(), [&](auto at) {
           const auto& option = answer.options[at];
           return full_name(option) == full_name(now);
         });
}

// Of a machine that no prediction was made for.
std::string unable_sentence(const Recommendation& answer) {
  const auto& it = *answer.current;
  if (it.finding == Finding::not_optimized) {
    return fmt::format("{} is not what is asked for: {}{}.",
                       it.name,
                       it.reason,
                       it.move ? "; move to " + instance_label(*answer.chosen) : "");
  }
  return fmt::format("{} cannot {} this job: {}.",
                     it.name,
                     it.finding == Finding::not_judged ? "be judged for" : "do",
                     it.reason);
}

// Where there is nothing to move to.
std::string alone_sentence(const Recommendation& answer) {
  const auto& it = *answer.current;
  const auto now = instance_label(*it.current);
  const auto what = answer.query.serves() ? machines_of_today(it, now) : now;
  if (it.fewer) {
    return fmt::format(
        "Keep {} of {}: nothing else within the limits can do this job.", it.fewer->nodes, what);
  }
  if (it.current->satisfies && it.finding == Finding::not_optimized) {
    return fmt::format(
        "{} is {}, and nothing else within the limits can do this job.", what, it.reason);
  }
  return it.current->satisfies
             ? fmt::format("Stay on {}: nothing else within the limits can do this job.", what)
             : fmt::format(
                   "{} {}, and nothing else satisfies either.", what, it.current->shortfall);
}

std::string odds_of(const Recommendation& answer) {
  const auto& it = *answer.current;
  const bool over = *it.p_better > 1 - tie_chance;
  const auto odds = chance(*it.p_better);
  const auto asked = percent(1 - tie_chance);
  return fmt::format("{} is {} with {}, {} the {} that a move asks for",
                     move_labels(it, *answer.chosen).second,
                     comparative(answer.query.objective),
                     odds,
                     odds == asked ? (over ? "just over" : "not quite over")
                     : over        ? "over"
                                   : "not over",
                     asked);
}

// What speaks against a move to machines whose number is chosen too.
std::string doubt_once_resized(const Recommendation& answer) {
  const auto& it = *answer.current;
  const auto of_kept =
      it.p_better ? fmt::format("the odds are of {} kept; ",
                                count_of(static_cast<std::uint64_t>(it.current->nodes), "machine"))
                  : "";
  return fmt::format(
      "{}once both fleets are cut or grown to their true speed, {} cannot be told "
      "apart from {} (= in the table): measure one of each before you move",
      of_kept,
      instance_label(*it.current),
      instance_label(*answer.chosen));
}

using Facts = std::vector<std::pair<std::string, std::string>>;

// What a move brings, and what it takes.
void add_move(const Recommendation& answer, Facts& facts) {
  const auto& it = *answer.current;
  if (it.current && ties_once_resized(answer)) {
    facts.emplace_back("but", doubt_once_resized(answer));
  }
  if (it.fewer && answer.chosen && instance_label(*it.fewer) != instance_label(*answer.chosen)) {
    facts.emplace_back("or",
                       fmt::format("keep {} of them: {} a month, {}",
                                   it.fewer->nodes,
                                   job_price(*it.fewer),
                                   soon(*it.fewer)));
  }
  if (it.savings_share) {
    facts.emplace_back("savings", savings_text(answer, it));
  }
  if (auto words = signed_words(it); !words.empty()) {
    facts.emplace_back("but", std::move(words));
  }
  facts.emplace_back("risk", risk_text(answer, it));
  if (!it.effort.empty()) {
    facts.emplace_back("effort", fmt::format("{} ({})", it.effort, it.effort_reason));
  }
}

}  // namespace

bool is_signed_for(const RightSizing& current) {
  return current.current && committed_hours(current.current->market) > 0;
}

std::string signed_words(const RightSizing& current) {
  return is_signed_for(current)
             ? fmt::format(
                   "what was signed for ({}) is paid until it ends, used or not: until then "
                   "a move costs all that the other takes, and saves nothing",
                   to_string(current.current->market))
             : "";
}

std::string right_sizing_sentence(const Recommendation& answer) {
  const auto& it = *answer.current;
  if (!it.current) {
    return unable_sentence(answer);
  }
  if (!answer.chosen) {
    return alone_sentence(answer);
  }
  const auto now = instance_label(*it.current);
  if (answer.query.serves()) {
    return service_move(answer, it);
  }
  if (!it.move) {
    return fmt::format("Stay on {}: ~{} h, {} per run; {}.",
                       now,
                       digits(it.current->hours.value),
                       job_price(*it.current),
                       nothing_better(answer));
  }
  const auto [from, to] = move_labels(it, *answer.chosen);
  return fmt::format(
      "Move from {} to {}: {} per run instead of {}, ~{} h instead of ~{} h{}.",
      from,
      to,
      job_price(*answer.chosen),
      job_price(*it.current),
      digits(answer.chosen->hours.value),
      digits(it.current->hours.value),
      it.current->satisfies ? "" : fmt::format(" ({} {})", now, it.current->shortfall));
}

std::vector<std::pair<std::string, std::string>> right_sizing_facts(const Recommendation& answer) {
  const auto& it = *answer.current;
  Facts facts;
  facts.emplace_back("finding",
                     fmt::format("{}{}{}",
                                 to_string(it.finding),
                                 it.reason_codes.empty() ? "" : ": ",
                                 fmt::join(it.reason_codes, ", ")));
  if (it.p_better && answer.chosen && (it.move || !it.fewer)) {
    facts.emplace_back("odds", odds_of(answer));
  }
  if (it.current && !it.reason.empty()) {
    facts.emplace_back("note", it.reason);
  }
  if (it.fewer && !it.move && it.current) {
    facts.emplace_back(
        "savings",
        money(it.current->cost.value - it.fewer->cost.value, it.fewer->cost.unit) + " a month");
  }
  if (it.move) {
    add_move(answer, facts);
  }
  return facts;
}

}  // namespace rightsize::report
