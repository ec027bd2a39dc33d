#include "advisor/report/fleet_table.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "advisor/report/option_columns.h"
#include "advisor/report/option_text.h"
#include "advisor/report/todays_advice.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

// What a plan counts: of all its jobs, or of those by the month beside services.
enum class Work { hours, machines, either };

Work work_of(const Fleet& fleet) {
  const auto serves = [](const Recommendation& answer) { return answer.query.serves(); };
  return std::all_of(fleet.answers.begin(), fleet.answers.end(), serves) ? Work::machines
         : fleet.by_month                                                ? Work::either
                                                                         : Work::hours;
}

std::string work_cell(const Query& query, const Option& option, Work work) {
  if (query.serves()) {
    return work == Work::machines ? std::to_string(option.nodes)
                                  : count_of(static_cast<std::uint64_t>(option.nodes), "machine");
  }
  return work == Work::either
             ? fmt::format("{:g} x {} h", *query.runs_per_month, range(option.hours))
             : range(option.hours);
}

Estimate times(Estimate estimate, double count) {
  estimate.value *= count;
  estimate.low *= count;
  estimate.high *= count;
  return estimate;
}

// Of what it costs where it runs today; "" where nobody knows that.
std::string saves(const Recommendation& answer, const Option* planned, double count) {
  if (!answer.current || !answer.current->current || planned == nullptr) {
    return "—";
  }
  const auto& now = answer.current->current->cost;
  const double saved = (now.value - planned->cost.value) * count;
  return fmt::format("{}{}", saved < 0 ? "-" : "", money(std::abs(saved), now.unit));
}

std::vector<Column> head(const Fleet& fleet, Work work) {
  std::vector<Column> columns{{"job"}};
  if (fleet.today) {
    columns.insert(columns.end(), {{"today"}, {"advice"}});
  }
  columns.insert(columns.end(),
                 {{"instance"},
                  {"where"},
                  {"gpu"},
                  {work == Work::machines ? "machines"
                   : work == Work::hours  ? "hours"
                                          : "work",
                   Align::right},
                  {fleet.by_month ? "cost a month" : "cost", Align::right}});
  if (fleet.today) {
    columns.push_back({"saves", Align::right});
  }
  columns.insert(columns.end(), {{"limited by"}, {"speed"}});
  return columns;
}

std::vector<std::string> row_of(const Recommendation& answer, const Fleet& fleet, Work work) {
  const auto* planned = planned_option(answer);
  const double count = times_in_plan(answer.query, fleet.by_month);
  std::vector<std::string> cells{job_label(answer.query)};
  if (fleet.today) {
    cells.push_back(answer.current ? answer.current->name : "—");
    cells.push_back(answer.current ? advice_words(answer) : "—");
  }
  const std::vector<std::string> found =
      planned == nullptr ? std::vector<std::string>(5, "—")
                         : std::vector<std::string>{instance_label(*planned),
                                                    place(*planned),
                                                    gpu_label(*planned),
                                                    work_cell(answer.query, *planned, work),
                                                    sum_text(times(planned->cost, count))};
  cells.insert(cells.end(), found.begin(), found.end());
  if (fleet.today) {
    cells.push_back(saves(answer, planned, count));
  }
  cells.push_back(planned == nullptr ? "no machine satisfies" : std::string(limited_by(*planned)));
  cells.push_back(planned == nullptr ? "—" : std::string(to_string(planned->throughput.source)));
  return cells;
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

// Beside an option's columns: how often the plan counts it, and what the job runs on today.
std::vector<std::string> plan_cells(const Recommendation& answer, const Fleet& fleet) {
  const auto* planned = planned_option(answer);
  const double times = times_in_plan(answer.query, fleet.by_month);
  std::vector<std::string> cells{
      plain_number(times), planned == nullptr ? "" : plain_number(planned->cost.value * times)};
  if (fleet.today) {
    const bool known = answer.current && answer.current->current;
    cells.push_back(answer.current ? answer.current->name : "");
    cells.push_back(answer.current ? advice_words(answer) : "");
    cells.push_back(known ? plain_number(answer.current->current->cost.value * times) : "");
  }
  return cells;
}

}  // namespace

Table fleet_table(const Fleet& fleet) {
  const auto work = work_of(fleet);
  Table table(head(fleet, work));
  for (const auto& answer : fleet.answers) {
    table.add(row_of(answer, fleet, work));
  }
  return table;
}

Table fleet_data(const Fleet& fleet) {
  const auto wanted = columns_of_any(fleet);
  std::vector<Column> columns{{"job"}};
  for (const auto& column : wanted) {
    columns.push_back({column.name});
  }
  columns.insert(columns.end(), {{"times"}, {"plan_cost"}});
  if (fleet.today) {
    columns.insert(columns.end(), {{"today"}, {"advice"}, {"cost_today"}});
  }
  Table table(columns);
  for (const auto& answer : fleet.answers) {
    const auto* planned = planned_option(answer);
    std::vector<std::string> cells{job_label(answer.query)};
    for (const auto& column : wanted) {
      cells.push_back(planned != nullptr ? option_cell(*planned, column.name) : "");
    }
    for (auto& cell : plan_cells(answer, fleet)) {
      cells.push_back(std::move(cell));
    }
    table.add(std::move(cells));
  }
  return table;
}

std::string job_label(const Query& query) {
  return query.name.empty() ? query.file : query.name;
}

std::string sum_text(const Estimate& cost) {
  return fmt::format("~{} ({} … {})",
                     money(cost.value, cost.unit),
                     money(cost.low, cost.unit),
                     money(cost.high, cost.unit));
}

}  // namespace rightsize::report
