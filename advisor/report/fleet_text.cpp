#include "advisor/report/fleet_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/full_name.h"
#include "advisor/report/answer.h"
#include "advisor/report/fleet_table.h"
#include "advisor/report/option_text.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

constexpr std::size_t width = 98;

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
  return fmt::format("One kind of machine for all: {}, {}, {}{}.{}",
                     name,
                     sum_text(common.total.cost),
                     against_total(cost, fleet),
                     hours_of(common, fleet),
                     shared);
}

}  // namespace

std::string works_of(const Fleet& fleet) {
  const auto services = static_cast<std::uint64_t>(
      std::count_if(fleet.answers.begin(), fleet.answers.end(), [](const Recommendation& answer) {
        return answer.query.serves();
      }));
  const auto jobs = fleet.answers.size() - services;
  return services == 0 ? count_of(jobs, "job")
         : jobs == 0   ? count_of(services, "service")
                       : count_of(services, "service") + " and " + count_of(jobs, "job");
}

std::string fleet_headline(const Fleet& fleet) {
  if (!fleet.total) {
    const auto unanswered =
        std::count_if(fleet.answers.begin(), fleet.answers.end(), [](const Recommendation& answer) {
          return planned_option(answer) == nullptr;
        });
    return fmt::format(
        "{} of {} have no machine that satisfies their constraints.", unanswered, works_of(fleet));
  }
  const auto cost = fmt::format("{}: {}", works_of(fleet), sum_text(fleet.total->cost));
  return fleet.by_month
             ? cost + " a month."
             : fmt::format(
                   "{} in ~{} machine-hours.", cost, digits(fleet.total->machine_hours.value));
}

std::vector<std::string> fleet_warnings(const Fleet& fleet) {
  std::vector<std::string> texts;  // in the order they come
  std::map<std::string, std::vector<std::string>> jobs;
  for (const auto& answer : fleet.answers) {
    const bool planned = planned_option(answer) != nullptr;
    for (const auto& warning : planned ? answer.warnings : std::vector<std::string>()) {
      auto& warned = jobs[warning];
      if (warned.empty()) {
        texts.push_back(warning);
      }
      warned.push_back(job_label(answer.query));
    }
  }
  for (auto& text : texts) {
    const auto& warned = jobs[text];
    const bool all = warned.size() == fleet.answers.size();
    text = fmt::format("{}: {}", all ? "all" : fmt::format("{}", fmt::join(warned, ", ")), text);
  }
  return texts;
}

std::vector<std::string> fleet_sentences(const Fleet& fleet) {
  auto sentences = unanswered_sentences(fleet);
  if (auto today = today_sentence(fleet); !today.empty()) {
    sentences.insert(sentences.begin(), std::move(today));
  }
  const auto months = month_sentences(fleet);
  sentences.insert(sentences.end(), months.begin(), months.end());
  sentences.push_back(common_sentence(fleet));
  return sentences;
}

std::string fleet_names(const Fleet& fleet) {
  std::string names;
  for (const auto& answer : fleet.answers) {
    if (const auto* planned = planned_option(answer)) {
      names += full_name(*planned) + "\n";
    }
  }
  return names;
}

std::string fleet_text(const Fleet& fleet, const Style& style) {
  std::string text = style.bold(wrapped(fleet_headline(fleet), width, "  ")) + "\n" +
                     fleet_table(fleet).text(style) + "\n";
  for (const auto& sentence : fleet_sentences(fleet)) {
    text += wrapped(sentence, width, "  ");
  }
  text += wrapped(
      "~ marks an estimate; the ends of a sum are the sums of the ends, for errors that the jobs "
      "share.",
      width,
      "  ");
  for (const auto& warning : fleet_warnings(fleet)) {
    text += style.bad("warning: ") + warning + "\n";
  }
  return text;
}

std::string fleet_markdown(const Fleet& fleet) {
  std::string text = "**" + fleet_headline(fleet) + "**\n\n" + fleet_table(fleet).markdown() + "\n";
  for (const auto& sentence : fleet_sentences(fleet)) {
    text += "- " + sentence + "\n";
  }
  for (const auto& warning : fleet_warnings(fleet)) {
    text += "- warning: " + warning + "\n";
  }
  return text;
}

}  // namespace rightsize::report
