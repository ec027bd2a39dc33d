#include "advisor/report/fleet_text.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/full_name.h"
#include "advisor/report/answer.h"
#include "advisor/report/option_columns.h"
#include "advisor/report/option_text.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

constexpr std::size_t width = 98;

std::string cost_text(const Estimate& cost) {
  return fmt::format("~{} ({} … {})",
                     money(cost.value, cost.unit),
                     money(cost.low, cost.unit),
                     money(cost.high, cost.unit));
}

// Services, all of them: their costs are a month's.
bool serves(const Fleet& fleet) {
  return fleet.answers.front().query.serves();
}

std::string headline(const Fleet& fleet) {
  const auto unanswered = std::count_if(
      fleet.answers.begin(), fleet.answers.end(), [](const auto& a) { return !a.chosen; });
  const std::string one = serves(fleet) ? "service" : "job";
  if (!fleet.total) {
    return fmt::format("{} of {} have no machine that satisfies their constraints.",
                       unanswered,
                       count_of(fleet.answers.size(), one));
  }
  const auto cost =
      fmt::format("{}: {}", count_of(fleet.answers.size(), one), cost_text(fleet.total->cost));
  return serves(fleet)
             ? cost + " a month."
             : fmt::format(
                   "{} in ~{} machine-hours.", cost, digits(fleet.total->machine_hours.value));
}

std::string name_of(const Query& query) {
  return query.name.empty() ? query.file : query.name;
}

// Of each job without a machine what came closest, or why nothing did, and what would be enough.
std::vector<std::string> unanswered_sentences(const Fleet& fleet) {
  std::vector<std::string> sentences;
  for (const auto& answer : fleet.answers) {
    if (!answer.chosen) {
      sentences.push_back(name_of(answer.query) + ": " + answer_sentence(answer));
      if (answer.options.empty() && !answer.rejected.empty()) {
        sentences.push_back(rejected_line(answer));
      }
      sentences.insert(sentences.end(), answer.warnings.begin(), answer.warnings.end());
    }
  }
  return sentences;
}

// What each job's own answer warns of; what several do is said once, of all of them.
std::vector<std::string> warnings_of_jobs(const Fleet& fleet) {
  std::vector<std::string> texts;  // in the order they come
  std::map<std::string, std::vector<std::string>> jobs;
  for (const auto& answer : fleet.answers) {
    for (const auto& warning : answer.chosen ? answer.warnings : std::vector<std::string>()) {
      auto& warned = jobs[warning];
      if (warned.empty()) {
        texts.push_back(warning);
      }
      warned.push_back(name_of(answer.query));
    }
  }
  for (auto& text : texts) {
    const auto& warned = jobs[text];
    const bool all = warned.size() == fleet.answers.size();
    text = fmt::format("{}: {}", all ? "all" : fmt::format("{}", fmt::join(warned, ", ")), text);
  }
  return texts;
}

// Each bill has the month of its own job, which may be one month.
std::vector<std::string> month_sentences(const Fleet& fleet) {
  std::map<std::string, int> jobs;
  for (const auto& answer : fleet.answers) {
    if (answer.chosen && answer.chosen->price_per_month && !serves(fleet)) {
      ++jobs[full_name(*answer.chosen)];
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

std::vector<std::string> sentences_of_jobs(const Fleet& fleet) {
  auto sentences = unanswered_sentences(fleet);
  const auto months = month_sentences(fleet);
  sentences.insert(sentences.end(), months.begin(), months.end());
  return sentences;
}

bool is_everyones_choice(const CommonMachine& common, const Fleet& fleet) {
  return std::all_of(fleet.answers.begin(), fleet.answers.end(), [&](const Recommendation& answer) {
    const auto& chosen = answer.chosen;
    return chosen && chosen->provider == common.provider && chosen->instance == common.instance &&
           chosen->cpu == common.cpu && chosen->market == common.market &&
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
  return serves(fleet) || fleet.answers.front().query.objective == Objective{}
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
                     cost_text(common.total.cost),
                     against_total(cost, fleet),
                     hours_of(common, fleet),
                     shared);
}

// Services that answer requests and those that write tokens have columns of their own.
std::vector<OptionColumn> columns_of_any(const Fleet& fleet) {
  std::vector<OptionColumn> wanted;
  for (const auto& answer : fleet.answers) {
    for (const auto& column : columns_of(answer.query)) {
      const auto same = [&](const OptionColumn& one) {
        return std::string_view(one.name) == column.name;
      };
      if (std::none_of(wanted.begin(), wanted.end(), same)) {
        wanted.push_back(column);
      }
    }
  }
  return wanted;
}

}  // namespace

Table fleet_table(const Fleet& fleet) {
  const bool monthly = serves(fleet);
  Table table({{"job"},
               {"instance"},
               {"where"},
               {"gpu"},
               {monthly ? "machines" : "hours", Align::right},
               {monthly ? "cost a month" : "cost", Align::right},
               {"limited by"},
               {"speed"}});
  for (const auto& answer : fleet.answers) {
    const auto name = name_of(answer.query);
    if (!answer.chosen) {
      table.add({name, "—", "—", "—", "—", "—", "no machine satisfies", "—"});
      continue;
    }
    const auto& chosen = *answer.chosen;
    table.add({name,
               instance_label(chosen),
               place(chosen),
               gpu_label(chosen),
               monthly ? std::to_string(chosen.nodes) : range(chosen.hours),
               cost_text(chosen.cost),
               std::string(limited_by(chosen)),
               std::string(to_string(chosen.throughput.source))});
  }
  return table;
}

Table fleet_data(const Fleet& fleet) {
  const auto wanted = columns_of_any(fleet);
  std::vector<Column> columns{{"job"}};
  for (const auto& column : wanted) {
    columns.push_back({column.name});
  }
  Table table(columns);
  for (const auto& answer : fleet.answers) {
    std::vector<std::string> cells{name_of(answer.query)};
    for (const auto& column : wanted) {
      cells.push_back(answer.chosen ? option_cell(*answer.chosen, column.name) : "");
    }
    table.add(std::move(cells));
  }
  return table;
}

std::string fleet_names(const Fleet& fleet) {
  std::string names;
  for (const auto& answer : fleet.answers) {
    if (answer.chosen) {
      names += full_name(*answer.chosen) + "\n";
    }
  }
  return names;
}

std::string fleet_text(const Fleet& fleet, const Style& style) {
  std::string text = style.bold(wrapped(headline(fleet), width, "  ")) + "\n" +
                     fleet_table(fleet).text(style) + "\n";
  for (const auto& sentence : sentences_of_jobs(fleet)) {
    text += wrapped(sentence, width, "  ");
  }
  text += wrapped(common_sentence(fleet), width, "  ") +
          wrapped(
              "~ marks an estimate; the ends of a sum are the sums of the ends, for errors that "
              "the jobs share.",
              width,
              "  ");
  for (const auto& warning : warnings_of_jobs(fleet)) {
    text += style.bad("warning: ") + warning + "\n";
  }
  return text;
}

std::string fleet_markdown(const Fleet& fleet) {
  std::string text = "**" + headline(fleet) + "**\n\n" + fleet_table(fleet).markdown() + "\n";
  for (const auto& sentence : sentences_of_jobs(fleet)) {
    text += "- " + sentence + "\n";
  }
  text += fleet.total ? "" : "\n";
  text += common_sentence(fleet) + "\n";
  for (const auto& warning : warnings_of_jobs(fleet)) {
    text += "\n- warning: " + warning + "\n";
  }
  return text;
}

}  // namespace rightsize::report
