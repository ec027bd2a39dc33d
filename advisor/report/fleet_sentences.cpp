// What is said of a plan below its table.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "advisor/full_name.h"
#include "advisor/report/answer.h"
#include "advisor/report/fleet_table.h"
#include "advisor/report/fleet_text.h"
#include "advisor/report/option_text.h"
#include "advisor/report/right_sizing_text.h"
#include "advisor/report/todays_advice.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

// What the sum of today has no part of.
std::string left_out_of_today(const FleetToday& today) {
  std::string text;
  if (today.unable > 0) {
    text += fmt::format("; {} cannot be done or judged where they run, and count for nothing here",
                        today.unable);
  }
  if (today.unsaid > 0) {
    text += fmt::format("; of {} it is not said what they run on", today.unsaid);
  }
  return text;
}

// What today's machines cost, and what following the plan saves; "" where nobody says any.
std::string today_sentence(const Fleet& fleet) {
  if (!fleet.today) {
    return "";
  }
  const auto& today = *fleet.today;
  if (today.jobs == 0) {
    return "Today: nothing to compare" + left_out_of_today(today) + ".";
  }
  const double now = today.now.cost.value;
  const double saved = now - today.planned.cost.value;
  const auto& currency = today.now.cost.unit;
  const auto change = std::abs(saved) < 5e-4 * now ? std::string("the plan is as much")
                                                   : fmt::format("the plan is {} ({}) {}",
                                                                 money(std::abs(saved), currency),
                                                                 percent(std::abs(saved) / now),
                                                                 saved > 0 ? "less" : "more");
  const bool all = today.jobs == fleet.answers.size();
  return fmt::format("Today {} cost ~{}{}: {}, {} moved or cut{}.",
                     all ? "they" : fmt::format("{} of them", today.jobs),
                     money(now, currency),
                     fleet.by_month ? " a month" : "",
                     change,
                     today.moves == 0 ? "none" : std::to_string(today.moves),
                     left_out_of_today(today));
}

// Of each job without a machine what came closest, or why nothing did, and what would be enough.
std::vector<std::string> unanswered_sentences(const Fleet& fleet) {
  std::vector<std::string> sentences;
  for (const auto& answer : fleet.answers) {
    if (planned_option(answer) == nullptr) {
      sentences.push_back(job_label(answer.query) + ": " + answer_sentence(answer));
      if (answer.options.empty() && !answer.rejected.empty()) {
        sentences.push_back(rejected_line(answer));
      }
      sentences.insert(sentences.end(), answer.warnings.begin(), answer.warnings.end());
    }
  }
  return sentences;
}

// Of a plan by the month.
std::vector<std::string> shared_sentences(const Fleet& fleet) {
  std::vector<std::string> sentences;
  for (const auto& shared : fleet.shared) {
    const auto work = fmt::format("{} work {} hours a month on {} together",
                                  count_of(shared.jobs, "job"),
                                  digits(shared.hours),
                                  shared.name);
    sentences.push_back(
        shared.beyond()
            ? fmt::format("{}, which takes {:g} of it, and there {} {}: let one of them take "
                          "another (deny, or infra, in its file).",
                          work,
                          shared.machines,
                          *shared.there == 1 ? "is" : "are",
                          *shared.there)
            : fmt::format("{}, which {:g} of it do{}: each row bears its months alone, the sum {} "
                          "less.",
                          work,
                          shared.machines,
                          shared.machines == 1 ? "es" : "",
                          money(shared.saved, fleet.answers.front().query.currency)));
  }
  return sentences;
}

// Each bill has the month of its own job, which may be one month.
std::vector<std::string> month_sentences(const Fleet& fleet) {
  std::map<std::string, int> jobs;
  for (const auto& answer : fleet.answers) {
    const auto* planned = planned_option(answer);
    if (planned != nullptr && planned->price_per_month && !fleet.by_month) {
      ++jobs[full_name(*planned)];
    }
  }
  std::vector<std::string> sentences;
  for (const auto& [name, count] : jobs) {
    if (count > 1) {
      sentences.push_back(fmt::format(
          "{} jobs are each billed whole months of {}: those that run one after the other within a "
          "month share it, and the sum is less by that.",
          count,
          name));
    }
  }
  return sentences;
}

bool is_everyones_choice(const CommonMachine& common, const Fleet& fleet) {
  return std::all_of(fleet.answers.begin(), fleet.answers.end(), [&](const Recommendation& answer) {
    const auto* chosen = planned_option(answer);
    return chosen != nullptr && chosen->provider == common.provider &&
           chosen->instance == common.instance && chosen->cpu == common.cpu &&
           chosen->market == common.market &&
           chosen->price_per_month.has_value() == common.by_month;
  });
}

bool leaves(const Recommendation& answer) {
  return answer.current && answer.chosen && todays_advice(answer).leaves();
}

// Of what is left though it was signed for, which the sum of today has in it.
std::string signed_sentence_of(const Fleet& fleet) {
  double paid = 0;
  for (const auto& answer : fleet.answers) {
    if (leaves_signed_for(answer)) {
      paid += answer.current->current->cost.value * times_in_plan(answer.query, fleet.by_month);
    }
  }
  return paid == 0
             ? ""
             : signed_sentence("~" + money(paid, fleet.answers.front().query.currency), "the plan");
}

// Of each job that leaves its machine, why, and for what.
std::vector<std::string> move_sentences(const Fleet& fleet) {
  std::vector<std::string> sentences;
  for (const auto& answer : fleet.answers) {
    if (leaves(answer)) {
      sentences.push_back(fmt::format(
          "{}: {}{}",
          job_label(answer.query),
          right_sizing_sentence(answer),
          answer.current->current && answer.current->counted && !answer.current->reason.empty()
              ? fmt::format(" Today's: {}.", answer.current->reason)
              : ""));
    }
  }
  return sentences;
}

std::string against_total(double cost, const Fleet& fleet) {
  const double more = cost / fleet.total->cost.value - 1;
  return std::abs(more) < 5e-4 ? std::string("as much as these")
         : more > 0            ? percent(more) + " more"
                               : percent(-more) + " less";
}

// Where the jobs want more than little money, what else the common machine does to them.
std::string hours_of(const CommonMachine& common, const Fleet& fleet) {
  return fleet.by_month || fleet.answers.front().query.objective == Objective{}
             ? ""
             : fmt::format(", in ~{} machine-hours", digits(common.total.machine_hours.value));
}

std::string common_sentence(const Fleet& fleet) {
  if (!fleet.common) {
    return "No single kind of machine, rented in one market, can do them all.";
  }
  const auto& common = *fleet.common;
  const auto name = with_market(common.provider + "/" + with_cpu(common.instance, common.cpu),
                                common.market,
                                common.by_month);
  if (!fleet.total) {
    return fmt::format("One kind of machine for those that can: {}.", name);
  }
  if (is_everyones_choice(common, fleet)) {
    return fmt::format("{} is the best for each of them.", name);
  }
  const double cost = common.total.cost.value;
  const auto shared =
      !common.shared_cost
          ? std::string()
          : fmt::format(
                " Each job is billed whole months there: those that run one after the "
                "other share them, all of them for ~{}, {}.",
                money(*common.shared_cost, common.total.cost.unit),
                against_total(*common.shared_cost, fleet));
  return fmt::format("One kind of machine for all, rented in one way: {}, {}, {}{}.{}",
                     name,
                     sum_text(common.total.cost),
                     against_total(cost, fleet),
                     hours_of(common, fleet),
                     shared);
}

}  // namespace

std::vector<std::string> fleet_sentences(const Fleet& fleet) {
  auto sentences = unanswered_sentences(fleet);
  if (auto today = today_sentence(fleet); !today.empty()) {
    sentences.insert(sentences.begin(), std::move(today));
  }
  if (auto paid = signed_sentence_of(fleet); !paid.empty()) {
    sentences.push_back(std::move(paid));
  }
  for (const auto& several :
       {move_sentences(fleet), shared_sentences(fleet), month_sentences(fleet)}) {
    sentences.insert(sentences.end(), several.begin(), several.end());
  }
  sentences.push_back(common_sentence(fleet));
  return sentences;
}

}  // namespace rightsize::report
