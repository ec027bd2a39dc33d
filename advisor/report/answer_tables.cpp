#include "advisor/report/answer_tables.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/units.h"
#include "advisor/report/work_words.h"

namespace rightsize::report {
namespace {

constexpr std::array service_columns{"machines",
                                     "machines_low",
                                     "machines_high",
                                     "p99_s",
                                     "p99_low_s",
                                     "p99_high_s",
                                     "p50_s",
                                     "utilisation",
                                     "max_requests_per_s",
                                     "p_in_time",
                                     "cost_per_1k_requests"};

// Empty cells for what never ends.
std::vector<std::string> service_cells(const Option& option) {
  const auto& fleet = *option.service;
  const auto number = [](double value) {
    return std::isinf(value) ? std::string() : fmt::format("{:.6g}", value);
  };
  return {std::to_string(fleet.machines),
          std::to_string(fleet.machines_low),
          fleet.machines_high == 0 ? "" : std::to_string(fleet.machines_high),
          number(option.p99.value),
          number(option.p99.low),
          number(option.p99.high),
          number(fleet.point.p50_s),
          number(fleet.point.utilisation),
          number(fleet.point.saturation_per_s),
          number(fleet.p_enough),
          number(option.cost_per_1k_requests)};
}

}  // namespace

Table option_table(const Recommendation& answer, std::size_t limit, bool wide) {
  const bool by_cost = answer.query.objective == Objective{};
  std::vector<Column> columns = {{"", Align::left},
                                 {"instance", Align::left},
                                 {"where", Align::left, 6},
                                 {"gpu", Align::left},
                                 {"cpus", Align::right, 4},
                                 {"GiB", Align::right, 5},
                                 {std::string(words_of(answer.query).per_s), Align::right, 3},
                                 {"hours", Align::right},
                                 {"cost", Align::right},
                                 {by_cost ? "cheapest" : "best", Align::right, 1},
                                 {"limited by", Align::left, 2},
                                 {"speed", Align::left, 7}};
  if (wide) {
    for (const auto* title :
         {"disk", "batch", "precision", "$/h", "price as of", "gpu rate from"}) {
      columns.push_back({title, Align::left, 8});
    }
  }
  Table table(columns);
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    const auto& option = answer.options[i];
    if (limit > 0 && i >= limit && !option.own) {
      continue;
    }
    std::vector<std::string> cells = {row_mark(answer, i),
                                      instance_label(option),
                                      place(option),
                                      gpu_label(option),
                                      digits(option.vcpus),
                                      digits(option.memory_gib),
                                      "~" + digits(option.throughput.value),
                                      range(option.hours),
                                      "~" + money(option.cost.value, option.cost.unit),
                                      option.satisfies ? chance(option.p_cheapest) : "—",
                                      std::string(limited_by(option)),
                                      std::string(to_string(option.throughput.source))};
    if (wide) {
      cells.insert(cells.end(),
                   {option.disk,
                    std::to_string(option.batch_per_gpu),
                    std::string(to_string(option.precision)),
                    option.price_per_hour.decimal() + " " + option.price_per_hour.currency(),
                    option.price_as_of,
                    option.rate_provenance});
    }
    table.add(std::move(cells));
  }
  return table;
}

Table shown_table(const Recommendation& answer, std::size_t limit, bool wide) {
  return answer.query.service ? service_table(answer, limit) : option_table(answer, limit, wide);
}

Table numbered_option_table(const Recommendation& answer, std::size_t limit) {
  const auto plain = shown_table(answer, limit, false);
  auto columns = plain.columns();
  columns.insert(columns.begin(), {"#", Align::right});
  Table table(columns);
  for (auto cells : plain.rows()) {
    cells.insert(cells.begin(), std::to_string(table.rows().size() + 1));
    table.add(std::move(cells));
  }
  return table;
}

Table option_data(const Recommendation& answer) {
  std::vector<Column> columns({{"rank"},
                               {"provider"},
                               {"instance"},
                               {"region"},
                               {"market"},
                               {"gpu"},
                               {"gpus"},
                               {"vcpus"},
                               {"memory_gib"},
                               {"disk"},
                               {"batch_per_gpu"},
                               {"items_per_s"},
                               {"items_per_s_low"},
                               {"items_per_s_high"},
                               {"hours"},
                               {"hours_low"},
                               {"hours_high"},
                               {"cost"},
                               {"cost_low"},
                               {"cost_high"},
                               {"currency"},
                               {"p_cheapest"},
                               {"bottleneck"},
                               {"source"},
                               {"price_as_of"}});
  if (answer.query.service) {
    for (const auto* title : service_columns) {
      columns.push_back({title});
    }
  }
  Table table(columns);
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    const auto& option = answer.options[i];
    const auto number = [](double value) { return fmt::format("{:.6g}", value); };
    std::vector<std::string> cells{std::to_string(i + 1),
                                   option.provider,
                                   option.instance,
                                   option.region,
                                   std::string(to_string(option.market)),
                                   option.gpu,
                                   number(option.gpus),
                                   number(option.vcpus),
                                   number(option.memory_gib),
                                   option.disk,
                                   std::to_string(option.batch_per_gpu),
                                   number(option.throughput.value),
                                   number(option.throughput.low),
                                   number(option.throughput.high),
                                   number(option.hours.value),
                                   number(option.hours.low),
                                   number(option.hours.high),
                                   fmt::format("{:.2f}", option.cost.value),
                                   fmt::format("{:.2f}", option.cost.low),
                                   fmt::format("{:.2f}", option.cost.high),
                                   option.cost.unit,
                                   number(option.p_cheapest),
                                   std::string(to_string(option.limited_by)),
                                   std::string(to_string(option.throughput.source)),
                                   option.price_as_of};
    if (option.service) {
      const auto more = service_cells(option);
      cells.insert(cells.end(), more.begin(), more.end());
    }
    table.add(std::move(cells));
  }
  return table;
}

}  // namespace rightsize::report
