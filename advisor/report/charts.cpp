#include "advisor/report/charts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/report/report_data.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

constexpr std::array<const char*, bound_count> bound_roles{"four", "one", "three", "five", "two"};

std::string cost_words(const Option& option) {
  return fmt::format("~{} ({} … {}), ~{} h ({} … {})",
                     money(option.cost.value, option.cost.unit),
                     money(option.cost.low, option.cost.unit),
                     money(option.cost.high, option.cost.unit),
                     digits(option.hours.value),
                     digits(option.hours.low),
                     digits(option.hours.high));
}

ChartPoint point_of(const Option& option, bool labelled) {
  return {option.hours.value,
          option.cost.value,
          Range{option.hours.low, option.hours.high},
          Range{option.cost.low, option.cost.high},
          labelled ? option.instance : "",
          option_name(option) + ": " + cost_words(option)};
}

Scale scale_of(const std::vector<Option>& options, Estimate Option::*field) {
  double low = INFINITY;
  double high = 0;
  for (const auto& option : options) {
    low = std::min(low, (option.*field).value);
    high = std::max(high, (option.*field).value);
  }
  return low > 0 && high > 10 * low ? Scale::logarithmic : Scale::linear;
}

bool is_chosen(const Recommendation& answer, std::size_t index) {
  return answer.chosen.has_value() && index == 0;
}

std::vector<Guide> limits_of(const Query& query) {
  std::vector<Guide> guides;
  if (query.deadline_s) {
    guides.push_back(
        {true, *query.deadline_s / 3600, "deadline " + duration(*query.deadline_s), {}});
  }
  if (query.budget) {
    const double amount = query.budget->approximate();
    guides.push_back({false, amount, "budget " + money(amount, query.currency), {}});
  }
  return guides;
}

std::string pareto_description(const Recommendation& answer, std::size_t on_frontier) {
  return fmt::format(
      "{} options, cost of the whole job against its time; {} of them lie on the frontier: no "
      "other option is both cheaper and faster. {} The table of options has the numbers.",
      answer.options.size(),
      on_frontier,
      answer.chosen
          ? "Chosen: " + option_name(*answer.chosen) + ", " + cost_words(*answer.chosen) + "."
          : "None satisfies the constraints.");
}

}  // namespace

std::string option_name(const Option& option) {
  return option.provider + " " + option.instance + (option.market == Market::spot ? " [Spot]" : "");
}

XyChart pareto_chart(const Recommendation& answer) {
  const auto& options = answer.options;
  const auto frontier = cost_time_frontier(options);
  Series others{"beaten in cost and time", "muted", Mark::dots, Shape::circle, false, {}};
  Series best{"on the frontier", "frontier", Mark::dots, Shape::circle, false, {}};
  Series step{"frontier: nothing is cheaper and faster", "frontier", Mark::step, {}, false, {}};
  Series chosen{"chosen", "chosen", Mark::dots, Shape::diamond, false, {}};
  for (std::size_t i = 0; i < options.size(); ++i) {
    const bool on_it = std::find(frontier.begin(), frontier.end(), i) != frontier.end();
    auto& series = is_chosen(answer, i) ? chosen : on_it ? best : others;
    series.points.push_back(point_of(options[i], on_it || is_chosen(answer, i)));
  }
  for (const auto index : frontier) {
    step.points.push_back({options[index].hours.value, options[index].cost.value, {}, {}, "", ""});
  }
  XyChart chart;
  chart.id = "chart-pareto";
  chart.title = "Cost of the job against its time";
  chart.description = pareto_description(answer, frontier.size());
  chart.x = {"time of the whole job, hours", scale_of(options, &Option::hours), {}, false};
  chart.y = {"cost, " + answer.query.currency, scale_of(options, &Option::cost), {}, false};
  chart.series = {std::move(others), std::move(step), std::move(best), std::move(chosen)};
  chart.guides = limits_of(answer.query);
  chart.width = 760;
  chart.height = 420;
  chart.when_empty = "No option is left to draw: every offer was rejected, with reasons below.";
  if (options.empty()) {
    chart.series.clear();
  }
  return chart;
}

RowChart cost_chart(const Recommendation& answer, std::size_t limit) {
  RowChart chart;
  chart.id = "chart-cost";
  chart.title = "What the job costs, and who is likely the cheapest";
  chart.x = {"cost of the whole job, " + answer.query.currency,
             scale_of(answer.options, &Option::cost),
             {},
             false};
  chart.note_title = "P(cheapest)";
  chart.when_empty = "No option is left to compare.";
  for (std::size_t i = 0; i < std::min(limit, answer.options.size()); ++i) {
    const auto& option = answer.options[i];
    ChartRow row;
    row.label = option_name(option);
    row.note = option.satisfies ? chance(option.p_cheapest) : "—";
    row.strong = is_chosen(answer, i);
    row.dot = option.cost.value;
    row.interval = Range{option.cost.low, option.cost.high};
    row.hover = row.label + ": " + cost_words(option);
    chart.rows.push_back(std::move(row));
  }
  chart.description = fmt::format(
      "Dots are estimates, lines their intervals, for the {} best-ranked options. Intervals that "
      "overlap are not proof of no difference: options share errors, which the chance of being "
      "the cheapest takes into account.",
      chart.rows.size());
  return chart;
}

RowChart bottleneck_chart(const Recommendation& answer, std::size_t limit) {
  RowChart chart;
  chart.id = "chart-bottleneck";
  chart.title = "What each option waits for";
  chart.description =
      "Share of the time each resource is busy. The longest bar is the bottleneck; stages work at "
      "the same time, so the bars of an option do not add up.";
  chart.x = {"busy share of the time, %", Scale::linear, {}, true};
  chart.fixed_range = Range{0, 100};
  chart.note_title = "limited by";
  chart.when_empty = "No option is left to explain.";
  for (std::size_t i = 0; i < bound_count; ++i) {
    chart.key.push_back({std::string(to_string(static_cast<Bound>(i))),
                         bound_roles[i],
                         Mark::dots,
                         Shape::square,
                         false,
                         {}});
  }
  for (std::size_t i = 0; i < std::min(limit, answer.options.size()); ++i) {
    const auto& option = answer.options[i];
    ChartRow row;
    row.label = option_name(option);
    row.note = std::string(to_string(option.limited_by));
    row.strong = is_chosen(answer, i);
    for (std::size_t b = 0; b < bound_count; ++b) {
      const auto name = to_string(static_cast<Bound>(b));
      row.bars.push_back({bound_roles[b],
                          100 * option.busy[b],
                          fmt::format("{}: {} {} busy", row.label, name, percent(option.busy[b]))});
    }
    chart.rows.push_back(std::move(row));
  }
  return chart;
}

}  // namespace rightsize::report
