#include "advisor/report/side_by_side.h"

#include <algorithm>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "advisor/report/charts.h"
#include "advisor/report/fleet_table.h"
#include "advisor/report/moves_table.h"
#include "advisor/report/option_columns.h"
#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/token_text.h"
#include "advisor/report/units.h"
#include "advisor/report/work_words.h"

namespace rightsize::report {
namespace {

std::string hours_words(const Estimate& hours) {
  return fmt::format("~{} h ({} … {})", digits(hours.value), digits(hours.low), digits(hours.high));
}

std::string or_dash(const std::string& text) {
  return text.empty() ? "—" : text;
}

bool serves(const Option& option) {
  return option.service || option.tokens;
}

struct Fact {
  const char* name;
  std::function<std::string(const Option&)> of;
};

// What is said of every answer's choice.
const std::vector<Fact>& facts() {
  static const std::vector<Fact> all = {
      {"instance", [](const Option& o) { return option_name(o); }},
      {"region", [](const Option& o) { return or_dash(o.region); }},
      {"market", [](const Option& o) { return o.own ? "your own" : market_text(o); }},
      {"GPU",
       [](const Option& o) {
         return o.gpu.empty() ? "none" : fmt::format("{} x {}", axis_number(o.gpus), o.gpu);
       }},
      {"vCPUs", [](const Option& o) { return axis_number(o.vcpus); }},
      {"memory", [](const Option& o) { return axis_number(o.memory_gib) + " GiB"; }},
      {"disk", [](const Option& o) { return or_dash(o.disk); }},
      {"machines",
       [](const Option& o) {
         return o.tokens    ? machines_text(*o.tokens)
                : o.service ? machines_text(*o.service)
                            : std::to_string(o.nodes);
       }},
      {"time", [](const Option& o) { return serves(o) ? "—" : hours_words(o.hours); }},
      {"p99", [](const Option& o) { return serves(o) ? waited_words(o) : "—"; }},
      {"a million requests or tokens",
       [](const Option& o) {
         return serves(o)                  ? "~" + per_million(o)
                : o.cost_per_1m_tokens > 0 ? "~" + per_million_tokens(o)
                                           : "—";
       }},
      {"cost", [](const Option& o) { return sum_text(o.cost) + (serves(o) ? " a month" : ""); }},
      {"source", [](const Option& o) { return std::string(to_string(o.cost.source)); }},
      {"limited by", [](const Option& o) { return std::string(bottleneck_of(o)); }},
      {"price as of", [](const Option& o) { return or_dash(o.price_as_of); }}};
  return all;
}

Fact as_listed(const char* column) {
  return {column, [column](const Option& o) { return option_cell(o, column); }};
}

// The same for programs: as in the list of options, but that jobs and services stand side by side.
const std::vector<Fact>& data_facts() {
  static const std::vector<Fact> all = {
      as_listed("provider"),
      as_listed("instance"),
      as_listed("region"),
      as_listed("market"),
      as_listed("hours"),
      as_listed("hours_low"),
      as_listed("hours_high"),
      {"cost", [](const Option& o) { return plain_number(o.cost.value); }},
      {"cost_low", [](const Option& o) { return plain_number(o.cost.low); }},
      {"cost_high", [](const Option& o) { return plain_number(o.cost.high); }},
      as_listed("currency"),
      {"source", [](const Option& o) { return std::string(to_string(o.cost.source)); }},
      as_listed("bottleneck"),
      {"machines", [](const Option& o) { return std::to_string(o.nodes); }},
      as_listed("p99_s"),
      as_listed("cost_per_1k_requests")};
  return all;
}

std::string job_of(const Query& query) {
  if (query.serves()) {
    return job_text(query);
  }
  return fmt::format("{} {}, {} {}, {}",
                     query.network,
                     to_string(query.phase),
                     count(query.items),
                     words_of(query).many,
                     number_of(query.epochs, "epoch"));
}

}  // namespace

Table side_by_side_table(const std::vector<NamedAnswer>& answers) {
  std::vector<Column> columns{{"of the choice"}};
  for (const auto& named : answers) {
    columns.push_back({named.name});
  }
  Table table(columns);
  const auto add = [&](const std::string& fact, auto&& text) {
    std::vector<std::string> cells{fact};
    for (const auto& named : answers) {
      cells.push_back(text(named.answer));
    }
    table.add(std::move(cells));
  };
  add("name", [](const Recommendation& answer) { return answer.query.name; });
  add("job", [](const Recommendation& answer) { return job_of(answer.query); });
  for (const auto& fact : facts()) {
    add(fact.name, [&](const Recommendation& answer) {
      return answer.chosen ? fact.of(*answer.chosen) : "—";
    });
  }
  add("made", [](const Recommendation& answer) {
    return fmt::format("rightsize {}, {}", answer.tool_version, answer.generated_at);
  });
  return table;
}

Table side_by_side_data(const std::vector<NamedAnswer>& answers) {
  std::vector<Column> columns{{"file"}, {"name"}};
  for (const auto& fact : data_facts()) {
    columns.push_back({fact.name});
  }
  for (const auto* title : {"today", "advice", "per", "today_cost", "then_cost", "finding"}) {
    columns.push_back({title});
  }
  Table table(columns);
  for (const auto& [name, answer] : answers) {
    std::vector<std::string> cells{name, answer.query.name};
    for (const auto& fact : data_facts()) {
      cells.push_back(answer.chosen ? fact.of(*answer.chosen) : "");
    }
    const auto move = move_cells(answer);
    cells.insert(cells.end(), move.begin(), move.end());
    table.add(std::move(cells));
  }
  return table;
}

namespace {

std::string cost_of_what(const std::vector<NamedAnswer>& answers) {
  const auto services = static_cast<std::size_t>(
      std::count_if(answers.begin(), answers.end(), [](const NamedAnswer& named) {
        return named.answer.query.serves();
      }));
  return services == 0                ? "cost of the whole job"
         : services == answers.size() ? "cost of a month"
                                      : "cost of the whole job, or of a service's month";
}

// A service's month beside jobs of an hour leaves nothing of these on a linear scale.
Scale scale_of(const std::vector<NamedAnswer>& answers) {
  constexpr double far_apart = 10;
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const auto& [name, answer] : answers) {
    if (answer.chosen) {
      least = std::min(least, answer.chosen->cost.value);
      most = std::max(most, answer.chosen->cost.value);
    }
  }
  return least > 0 && most > far_apart * least ? Scale::logarithmic : Scale::linear;
}

}  // namespace

RowChart side_by_side_chart(const std::vector<NamedAnswer>& answers) {
  RowChart chart;
  chart.id = "chart-answers";
  chart.title = "What each answer's choice costs";
  const auto& currency = answers.front().answer.query.currency;
  chart.description = fmt::format("Dots are estimates, lines their intervals, in {}.", currency);
  chart.x = {cost_of_what(answers) + ", " + currency, scale_of(answers), {}, false};
  chart.note_title = "choice";
  chart.when_empty = "No answer chose anything.";
  for (const auto& [name, answer] : answers) {
    const auto* cost = answer.chosen ? &answer.chosen->cost : nullptr;
    if (cost != nullptr && cost->unit != currency) {
      chart.description += fmt::format(" {} is in {} and not drawn.", name, cost->unit);
    } else if (cost != nullptr) {
      ChartRow row;
      row.label = name;
      row.note = option_name(*answer.chosen);
      row.dot = cost->value;
      row.interval = Range{cost->low, cost->high};
      row.hover = name + ": " + sum_text(*cost);
      chart.rows.push_back(std::move(row));
    }
  }
  return chart;
}

}  // namespace rightsize::report
