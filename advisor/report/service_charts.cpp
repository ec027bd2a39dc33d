#include "advisor/report/service_charts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "advisor/report/charts.h"
#include "advisor/report/frontier.h"
#include "advisor/report/frontier_chart.h"
#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/token_text.h"
#include "advisor/report/units.h"
#include "models/predict.h"

namespace rightsize::report {
namespace {

double ms(double seconds) {
  return 1e3 * seconds;
}

std::string words_of_option(const Option& option) {
  return fmt::format("{}: {} machines, p99 {}, ~{} a month ({} … {}), ~{} per million {}",
                     option_name(option),
                     option.tokens ? machines_text(*option.tokens) : machines_text(*option.service),
                     latency_text(waited_for(option)),
                     money(option.cost.value, option.cost.unit),
                     money(option.cost.low, option.cost.unit),
                     money(option.cost.high, option.cost.unit),
                     per_million(option),
                     option.tokens ? "tokens" : "requests");
}

bool drawable(const Option& option) {
  return (option.service || option.tokens) && std::isfinite(waited_for(option).value);
}

std::optional<ChartPoint> place_of(const Option& option) {
  if (!drawable(option)) {
    return std::nullopt;
  }
  const auto wait = waited_for(option);
  const double high = std::isfinite(wait.high) ? wait.high : wait.value;
  return ChartPoint{ms(wait.value),
                    option.cost.value,
                    Range{ms(wait.low), ms(high)},
                    Range{option.cost.low, option.cost.high},
                    "",
                    words_of_option(option)};
}

// Both limits together, of a whole sequence; none where one is not set.
std::vector<Guide> asked_sequence(const TokenService& service) {
  const auto& limits = service.limits;
  const int more = service.output_tokens - 1;
  const double limit_s = limits.first_token_s + (more == 0 ? 0 : more * limits.token_s);
  return std::isfinite(limit_s)
             ? std::vector<Guide>{{true, ms(limit_s), "asked: " + duration(limit_s), std::nullopt}}
             : std::vector<Guide>{};
}

Guide asked_latency(const Query& query, bool vertical) {
  return {vertical,
          ms(query.service->p99_s),
          "asked: 99% within " + duration(query.service->p99_s),
          std::nullopt};
}

bool has_law(const Option& option) {
  return option.service && option.service->server.time.known();
}

struct FleetPoint {
  int machines = 0;
  Estimate p99;
  double p_enough = 0;
};

// Around the chosen number, from the first that is not saturated.
std::vector<FleetPoint> fleet_points(const Recommendation& answer) {
  std::vector<FleetPoint> points;
  if (!answer.chosen || !has_law(*answer.chosen)) {
    return points;
  }
  const auto& option = *answer.chosen;
  const int now = option.service->machines;
  const int last = std::max(now + 3, now * 2);
  const int stride = std::max(1, last / 40);
  for (int machines = 1; machines <= last; ++machines) {
    if (machines % stride != 0 && machines != now) {
      continue;
    }
    ServerFleet fleet = *option.service;
    fleet.machines = machines;
    fleet.point = point_of(*answer.query.service, fleet.server, machines);
    const auto p99 = p99_of(
        *answer.query.service, fleet, option.cost.confidence, normal_90, option.throughput.source);
    if (std::isfinite(p99.value)) {
      points.push_back(
          {machines, p99, chance_enough(*answer.query.service, fleet.server, machines)});
    }
  }
  return points;
}

std::vector<Guide> asked_limits(const Query& query) {
  auto guides =
      query.tokens ? asked_sequence(*query.tokens) : std::vector<Guide>{asked_latency(query, true)};
  if (auto budget = budget_guide(query)) {
    guides.push_back(*std::move(budget));
  }
  return guides;
}

}  // namespace

XyChart latency_cost_chart(const Recommendation& answer, const std::optional<Option>& current) {
  const auto& options = answer.options;
  const FrontierPlan plan{"beaten in cost and latency",
                          "frontier: nothing is cheaper and sooner",
                          frontier_of(answer),
                          place_of};
  XyChart chart;
  chart.id = "chart-pareto";
  const bool tokens = answer.query.tokens.has_value();
  chart.title = tokens ? "Cost of a month against the time of a whole sequence"
                       : "Cost of a month against the 99th percentile";
  chart.description = fmt::format(
      "{} fleets, each of as many machines as answer in time with {} confidence; {} of them lie on "
      "the frontier: no other is both cheaper and sooner. The table of options has the numbers.",
      options.size(),
      percent(answer.query.confidence),
      plan.frontier.size());
  chart.x = {tokens ? "99 of 100 sequences, from arrival to the last token, within, ms"
                    : "99 of 100 answers within, ms",
             Scale::linear,
             {},
             false};
  chart.y = {"cost of a month, " + answer.query.currency + " (log)", Scale::logarithmic, {}, false};
  chart.guides = asked_limits(answer.query);
  plot_options(answer, current, plan, chart);
  return chart;
}

XyChart machines_chart(const Recommendation& answer) {
  XyChart chart;
  chart.id = "chart-machines";
  chart.title = answer.chosen ? fmt::format("99th percentile by the number of {}",
                                            option_name(*answer.chosen))
                              : std::string("99th percentile by the number of machines");
  chart.description =
      "The line is the law of queueing, the band its interval; fewer machines than drawn are asked "
      "for more than they can answer. What is asked is the level line.";
  chart.x = {"machines", Scale::linear, {}, false};
  chart.y = {"99 of 100 answers within, ms", Scale::linear, {}, true};
  chart.when_empty = "Nothing was chosen, or the saved answer does not hold its server's law.";
  Series band{"interval", "one", Mark::band, {}, false, {}};
  Series line{"p99", "one", Mark::line, {}, false, {}};
  Series dots{"", "one", Mark::dots, Shape::circle, false, {}};
  Series chosen{"chosen", "chosen", Mark::dots, Shape::diamond, false, {}};
  const auto points = fleet_points(answer);
  const std::size_t each = points.size() / 10 + 1;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& point = points[i];
    const double x = point.machines;
    if (i % each == 0) {
      chart.x.ticks.push_back(x);  // there is no half a machine
    }
    const double y = ms(point.p99.value);
    const auto hover = fmt::format("{}: p99 {}, {} in time",
                                   number_of(point.machines, "machine"),
                                   latency_text(point.p99),
                                   chance(point.p_enough));
    if (std::isfinite(point.p99.high)) {
      band.points.push_back({x, y, {}, Range{ms(point.p99.low), ms(point.p99.high)}, "", ""});
    }
    line.points.push_back({x, y, {}, {}, "", ""});
    const bool here = point.machines == answer.chosen->service->machines;
    (here ? chosen : dots).points.push_back({x, y, {}, {}, here ? "chosen" : "", hover});
  }
  if (line.points.empty()) {
    return chart;
  }
  chart.series = {std::move(band), std::move(line), std::move(dots), std::move(chosen)};
  chart.guides = {asked_latency(answer.query, false)};
  return chart;
}

Table machines_table(const Recommendation& answer) {
  Table table({{"machines", Align::right},
               {"p99", Align::right},
               {"interval", Align::right},
               {"in time", Align::right},
               {"a month", Align::right}});
  for (const auto& point : fleet_points(answer)) {
    const auto& option = *answer.chosen;
    const double each = option.cost.value / option.service->machines;
    table.add({std::to_string(point.machines),
               "~" + latency(point.p99.value),
               latency(point.p99.low) + " … " + latency(point.p99.high),
               chance(point.p_enough),
               "~" + money(each * point.machines, option.cost.unit)});
  }
  return table;
}

}  // namespace rightsize::report
