#include "advisor/report/answer_tables.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/full_name.h"
#include "advisor/option_order.h"
#include "advisor/report/option_columns.h"
#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/token_text.h"
#include "advisor/report/units.h"
#include "advisor/report/work_words.h"

namespace rightsize::report {
namespace {

std::vector<Column> shown_columns(const Query& query, bool wide) {
  const bool by_cost = query.objective == Objective{};
  std::vector<Column> columns = {{"", Align::left},
                                 {"instance", Align::left},
                                 {"where", Align::left, 6},
                                 {"gpu", Align::left},
                                 {"cpus", Align::right, 4},
                                 {"GiB", Align::right, 5},
                                 {std::string(words_of(query).per_s), Align::right, 3},
                                 {"hours", Align::right},
                                 {"cost", Align::right},
                                 {by_cost ? "cheapest" : "best", Align::right, 1},
                                 {"limited by", Align::left, 2},
                                 {"speed", Align::left, 7}};
  if (wide) {
    for (const auto* title :
         {"disk", "batch", "split", "precision", "$/h", "price as of", "gpu rate from"}) {
      columns.push_back({title, Align::left, 8});
    }
  }
  return columns;
}

// Of what is paid by the month no hour has a price.
std::string price_cell(const Option& option) {
  const auto& price = option.price_per_month ? *option.price_per_month : option.price_per_hour;
  return fmt::format(
      "{} {}{}", price.decimal(), price.currency(), option.price_per_month ? " a month" : "");
}

// `mark`: "*" of the chosen one, "=" of its ties.
std::vector<std::string> shown_cells(const Option& option, const std::string& mark, bool wide) {
  std::vector<std::string> cells = {mark,
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
                  split_words(option),
                  std::string(to_string(option.precision)),
                  price_cell(option),
                  option.price_as_of,
                  option.rate_provenance});
  }
  return cells;
}

}  // namespace

Table option_table(const Recommendation& answer, std::size_t limit, bool wide) {
  Table table(shown_columns(answer.query, wide));
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    if (is_shown(answer, i, limit)) {
      table.add(shown_cells(answer.options[i], row_mark(answer, i), wide));
    }
  }
  return table;
}

std::size_t options_left_out(const Recommendation& answer, std::size_t limit) {
  std::size_t shown = 0;
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    shown += is_shown(answer, i, limit) ? 1 : 0;
  }
  return std::max(answer.options_ranked, answer.options.size()) - shown;
}

void keep_shown(Recommendation& answer, std::size_t limit) {
  std::vector<bool> kept(answer.options.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    kept[i] = is_shown(answer, i, limit);
  }
  keep_options(answer, kept);
}

Table shown_table(const Recommendation& answer, std::size_t limit, bool wide) {
  return answer.query.tokens    ? token_table(answer, limit)
         : answer.query.service ? service_table(answer, limit)
                                : option_table(answer, limit, wide);
}

Table numbered_option_table(const Recommendation& answer, std::size_t limit) {
  const auto plain = shown_table(answer, limit, false);
  auto columns = plain.columns();
  columns.insert(columns.begin(), {"#", Align::right});
  Table table(columns);
  std::size_t option = 0;
  for (auto cells : plain.rows()) {
    while (!is_shown(answer, option, limit)) {
      ++option;
    }
    cells.insert(cells.begin(), std::to_string(++option));
    table.add(std::move(cells));
  }
  return table;
}

Table option_data(const Recommendation& answer) {
  const auto wanted = columns_of(answer.query);
  std::vector<Column> columns{{"rank"}};
  for (const auto& column : wanted) {
    columns.push_back({column.name});
  }
  Table table(columns);
  for (const auto& option : answer.options) {
    // What misses has no rank: it is there to show how near it comes.
    std::vector<std::string> cells{option.satisfies ? std::to_string(table.rows().size() + 1) : ""};
    for (const auto& column : wanted) {
      cells.push_back(option_cell(option, column.name));
    }
    table.add(std::move(cells));
  }
  return table;
}

}  // namespace rightsize::report
