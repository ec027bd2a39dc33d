#include "advisor/report/charts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "advisor/full_name.h"
#include "advisor/report/frontier.h"
#include "advisor/report/frontier_chart.h"
#include "advisor/report/report_data.h"
#include "advisor/report/service_text.h"
#include "advisor/report/units.h"
#include "advisor/report/work_words.h"
#include "models/predict.h"

namespace rightsize::report {
namespace {

constexpr std::array<const char*, bound_count> bound_roles{"four", "one", "three", "five", "two"};

std::string cost_words(const Option& option) {
  if (option.service || option.tokens) {
    return fmt::format("~{} a month ({} … {}), p99 {}",
                       money(option.cost.value, option.cost.unit),
                       money(option.cost.low, option.cost.unit),
                       money(option.cost.high, option.cost.unit),
                       latency_text(waited_for(option)));
  }
  return fmt::format("~{} ({} … {}), ~{} h ({} … {})",
                     money(option.cost.value, option.cost.unit),
                     money(option.cost.low, option.cost.unit),
                     money(option.cost.high, option.cost.unit),
                     digits(option.hours.value),
                     digits(option.hours.low),
                     digits(option.hours.high));
}

std::optional<ChartPoint> place_of(const Option& option) {
  return ChartPoint{option.hours.value,
                    option.cost.value,
                    Range{option.hours.low, option.hours.high},
                    Range{option.cost.low, option.cost.high},
                    "",
                    option_name(option) + ": " + cost_words(option)};
}

// Logarithmic where intervals span more than a factor of ten.
Scale scale_of(std::span<const Option> options, Estimate Option::*field) {
  double low = INFINITY;
  double high = 0;
  for (const auto& option : options) {
    low = std::min(low, (option.*field).low);
    high = std::max(high, (option.*field).high);
  }
  return low > 0 && high > 10 * low ? Scale::logarithmic : Scale::linear;
}

constexpr double quartile = 0.6745;  // of the normal distribution, in standard deviations

// The middle 50 % of an estimate whose interval is that of a lognormal to either side. Bills have
// steps: whole hours and months leave the estimate anywhere in its interval, and what is in the
// middle within.
Range middle_half(const Estimate& estimate) {
  const auto toward = [&](double end) {
    return estimate.value * std::pow(end / estimate.value, quartile / normal_90);
  };
  return {toward(std::min(estimate.value, estimate.low)),
          toward(std::max(estimate.value, estimate.high))};
}

// What `machines` of a fleet cost, between what its interval's ends and it itself do: a month's
// bill grows by the machine.
template <typename Fleet>
double fleet_cost(const Estimate& cost, const Fleet& fleet, int machines) {
  const bool below = machines < fleet.machines;
  const int end = below ? fleet.machines_low : fleet.machines_high;
  if (machines == fleet.machines || end == fleet.machines) {
    return cost.value;
  }
  const double share = static_cast<double>(machines - fleet.machines) / (end - fleet.machines);
  return cost.value + share * ((below ? cost.low : cost.high) - cost.value);
}

// A fleet is whole machines, rented with a margin: its quartiles are sized as the ends of its
// interval are, and lie anywhere between those. `enough(deviations)` machines; 0: none is.
template <typename Fleet, typename Enough>
std::optional<Range> middle_half(const Estimate& cost, const Fleet& fleet, const Enough& enough) {
  const int low = enough(-quartile);
  const int high = enough(quartile);
  return low > 0 && high > 0
             ? std::optional(Range{fleet_cost(cost, fleet, low), fleet_cost(cost, fleet, high)})
             : std::nullopt;
}

// Nothing where the number of machines is given, or an older answer does not say how fast they are.
std::optional<Range> middle_half(const Query& query, const Option& option) {
  if (option.tokens && query.tokens) {
    const auto& server = option.tokens->server;
    return server.gpu.bytes_per_s <= 0 || query.tokens->machines
               ? std::nullopt
               : middle_half(option.cost, *option.tokens, [&](double deviations) {
                   return token_machines_enough(*query.tokens, server, deviations);
                 });
  }
  if (option.service && query.service) {
    const auto& server = option.service->server;
    return !server.time.known() || query.service->machines
               ? std::nullopt
               : middle_half(option.cost, *option.service, [&](double deviations) {
                   return machines_enough(*query.service, server, deviations);
                 });
  }
  return query.serves() ? std::nullopt : std::optional(middle_half(option.cost));
}

std::vector<Guide> limits_of(const Query& query) {
  std::vector<Guide> guides;
  if (query.deadline_s) {
    guides.push_back(
        {true, *query.deadline_s / 3600, "deadline " + duration(*query.deadline_s), {}});
  }
  if (auto budget = budget_guide(query)) {
    guides.push_back(*std::move(budget));
  }
  return guides;
}

std::string pareto_description(const Recommendation& answer, std::size_t on_frontier) {
  return fmt::format(
      "{}, cost of the whole job against its time; {} on the frontier: no "
      "other option is both cheaper and faster. {} The table of options has the numbers.",
      count_of(answer.options.size(), "option"),
      on_frontier == 1 ? "1 of them lies" : fmt::format("{} of them lie", on_frontier),
      answer.chosen
          ? "Chosen: " + option_name(*answer.chosen) + ", " + cost_words(*answer.chosen) + "."
          : "None satisfies the constraints.");
}

}  // namespace

std::string option_name(const Option& option) {
  const bool together = option.nodes > 1 && !option.service && !option.tokens;
  return (together ? fmt::format("{} x ", option.nodes) : std::string()) +
         with_market(option.provider + " " + with_cpu(option.instance, option.cpu), option);
}

XyChart pareto_chart(const Recommendation& answer, const std::optional<Option>& current) {
  const auto& options = answer.options;
  const FrontierPlan plan{"beaten in cost and time",
                          "frontier: nothing is cheaper and faster",
                          frontier_of(answer),
                          place_of};
  XyChart chart;
  chart.id = "chart-pareto";
  chart.title = "Cost of the job against its time";
  chart.description = pareto_description(answer, plan.frontier.size());
  chart.x = {"time of the whole job, hours", scale_of(options, &Option::hours), {}, false};
  chart.y = {"cost, " + answer.query.currency, scale_of(options, &Option::cost), {}, false};
  chart.guides = limits_of(answer.query);
  plot_options(answer, current, plan, chart);
  return chart;
}

RowChart cost_chart(const Recommendation& answer, std::size_t limit) {
  RowChart chart;
  chart.id = "chart-cost";
  const bool service = answer.query.serves();
  chart.title = service ? "What a month costs, and who is likely the cheapest"
                        : "What the job costs, and who is likely the cheapest";
  chart.x = {
      (service ? "cost of a month, " : "cost of the whole job, ") + answer.query.currency,
      scale_of({answer.options.data(), std::min(limit, answer.options.size())}, &Option::cost),
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
    row.inner = middle_half(answer.query, option);
    row.hover = row.label + ": " + cost_words(option);
    chart.rows.push_back(std::move(row));
  }
  chart.description = fmt::format(
      "Dots are estimates, thin lines their {} intervals and thick ones the middle half, for the "
      "{} best-ranked options. Intervals that overlap are not proof of no difference: options "
      "share "
      "errors, which the chance of being the cheapest takes into account{}.",
      percent(answer.options.empty() ? 0.9 : answer.options.front().cost.confidence),
      chart.rows.size(),
      service ? fmt::format("; it is that of fleets cut or grown to their true speed, and the cost "
                            "that of fleets for {} confidence",
                            percent(answer.query.confidence))
              : "");
  return chart;
}

namespace {

ChartRow bottleneck_row(const Option& option, bool chosen) {
  const auto shares = time_shares(option.busy);
  ChartRow row;
  row.label = option_name(option);
  row.note = std::string(bottleneck_of(option));
  row.strong = chosen;
  for (std::size_t b = 0; b < bound_count; ++b) {
    row.bars.push_back({bound_roles[b],
                        100 * shares[b],
                        fmt::format("{}: {} {} of the time, {} busy",
                                    row.label,
                                    to_string(static_cast<Bound>(b)),
                                    percent(shares[b]),
                                    percent(option.busy[b]))});
  }
  return row;
}

}  // namespace

RowChart bottleneck_chart(const Recommendation& answer, std::size_t limit) {
  RowChart chart;
  chart.id = "chart-bottleneck";
  chart.title = "What the time of each option is made of";
  chart.description =
      "Stages work at the same time; a stage's share is what of the time would go if the stage "
      "were free, for small steps: 1 % off a stage with 80 % takes 0.8 % off the job. How busy "
      "each resource is stands in the table.";
  chart.x = {"share of the time of an item, %", Scale::linear, {}, true};
  chart.fixed_range = Range{0, 100};
  chart.stacked = true;
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
    chart.rows.push_back(bottleneck_row(answer.options[i], is_chosen(answer, i)));
  }
  return chart;
}

double cost_per_million(const Recommendation& answer, const Option& option, double Estimate::*end) {
  if (option.service) {
    return option.cost_per_1k_requests * 1000 * (option.cost.*end / option.cost.value);
  }
  const double items = static_cast<double>(answer.query.items) * answer.query.epochs;
  return items > 0 ? option.cost.*end / items * 1e6 : 0;
}

}  // namespace rightsize::report
