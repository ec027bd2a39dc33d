// The cheapest option of every shape of machine that is on offer, of the charts of an answer.
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "advisor/report/charts.h"
#include "advisor/report/report_data.h"
#include "advisor/report/units.h"
#include "advisor/report/work_words.h"

namespace rightsize::report {
namespace {

// By vCPUs and GiB of memory.
using CheapestByShape = std::map<std::pair<double, double>, std::size_t>;

CheapestByShape cheapest_by_shape(const Recommendation& answer) {
  CheapestByShape cheapest;
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    const auto& option = answer.options[i];
    const auto [kept, is_new] = cheapest.try_emplace({option.vcpus, option.memory_gib}, i);
    if (!is_new && option.cost.value < answer.options[kept->second].cost.value) {
      kept->second = i;
    }
  }
  return cheapest;
}

// What a cell says when it is pointed at.
std::string shape_words(const Recommendation& answer,
                        const Option& option,
                        const std::string& million) {
  const auto amount = [&](double Estimate::*end) {
    return fine_money(cost_per_million(answer, option, end), option.cost.unit);
  };
  return fmt::format("{} vCPUs, {} GiB: {} at ~{} ({} … {}) {}",
                     axis_number(option.vcpus),
                     axis_number(option.memory_gib),
                     option_name(option),
                     amount(&Estimate::value),
                     amount(&Estimate::low),
                     amount(&Estimate::high),
                     million);
}

}  // namespace

GridChart shape_chart(const Recommendation& answer) {
  GridChart chart;
  chart.id = "chart-shapes";
  const auto million = fmt::format("a million {}", words_of(answer.query).many);
  chart.title = fmt::format("Cost of {} by the shape of the machine", million);
  chart.description =
      "Of every number of vCPUs and amount of memory that is on offer, the cheapest option listed "
      "here, whatever its GPU; empty cells are not sold or were rejected. The chosen is outlined.";
  chart.x_title = "vCPUs";
  chart.y_title = "memory, GiB";
  chart.when_empty = "No option is left to draw.";
  std::map<double, std::size_t> columns;
  std::map<double, std::size_t> rows;
  const auto cheapest = cheapest_by_shape(answer);
  for (const auto& [shape, i] : cheapest) {
    columns[shape.first] = rows[shape.second] = 0;
  }
  for (auto& [size, index] : columns) {
    index = chart.columns.size();
    chart.columns.push_back(axis_number(size));
  }
  for (auto& [size, index] : rows) {
    index = chart.rows.size();
    chart.rows.push_back(axis_number(size));
  }
  for (const auto& [shape, i] : cheapest) {
    const auto& option = answer.options[i];
    const double cost = cost_per_million(answer, option);
    chart.cells.push_back({columns[shape.first],
                           rows[shape.second],
                           cost,
                           fine_money(cost, option.cost.unit),
                           shape_words(answer, option, million),
                           answer.chosen.has_value() && i == 0});
  }
  return chart;
}

}  // namespace rightsize::report
