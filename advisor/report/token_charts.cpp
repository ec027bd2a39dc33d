#include "advisor/report/token_charts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "advisor/report/charts.h"
#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/token_text.h"
#include "advisor/report/units.h"
#include "models/predict.h"

namespace rightsize::report {
namespace {

bool has_law(const Option& option) {
  return option.tokens && option.tokens->server.gpu.bytes_per_s > 0;
}

struct FleetPoint {
  int machines = 0;
  TokenFleet fleet;
};

// Around the chosen number, from the first that is not saturated.
std::vector<FleetPoint> fleet_points(const Recommendation& answer) {
  std::vector<FleetPoint> points;
  if (!answer.chosen || !has_law(*answer.chosen)) {
    return points;
  }
  const int now = answer.chosen->tokens->machines;
  const int last = std::max(now + 3, now * 2);
  const int stride = std::max(1, last / 20);
  TokenService service = *answer.query.tokens;
  for (int machines = 1; machines <= last; ++machines) {
    if (machines % stride != 0 && machines != now) {
      continue;
    }
    service.machines = machines;
    auto fleet = size_token_fleet(
        service, answer.chosen->tokens->server, answer.query.confidence, normal_90);
    if (!is_saturated(fleet) && std::isfinite(fleet.expected.latency.first_token_p99_s)) {
      points.push_back({machines, std::move(fleet)});
    }
  }
  return points;
}

struct Waiting {
  const char* name;
  const char* role;
  Shape shape;
  double DecodeLatency::*which;
  double limit_s;
};

std::vector<Waiting> limited(const TokenService& service) {
  std::vector<Waiting> all;
  if (std::isfinite(service.limits.first_token_s)) {
    all.push_back({"first token",
                   "one",
                   Shape::circle,
                   &DecodeLatency::first_token_p99_s,
                   service.limits.first_token_s});
  }
  if (std::isfinite(service.limits.token_s) && service.output_tokens > 1) {
    all.push_back(
        {"a token", "two", Shape::square, &DecodeLatency::token_p99_s, service.limits.token_s});
  }
  return all;
}

// The line of one limit and its band; empty where nothing is to be drawn.
void add_waiting(const std::vector<FleetPoint>& points, const Waiting& waiting, XyChart& chart) {
  Series band{"", waiting.role, Mark::band, {}, false, {}};
  Series line{std::string(waiting.name) + ", p99 / limit",
              waiting.role,
              Mark::line,
              waiting.shape,
              false,
              {}};
  Series dots{"", waiting.role, Mark::dots, waiting.shape, false, {}};
  for (const auto& [machines, fleet] : points) {
    const auto wait = waiting_of(fleet, waiting.which, 0.9, Source::scaled);
    const double x = machines;
    const double y = wait.value / waiting.limit_s;
    if (std::isfinite(wait.high)) {
      band.points.push_back(
          {x, y, {}, Range{wait.low / waiting.limit_s, wait.high / waiting.limit_s}, "", ""});
    }
    line.points.push_back({x, y, {}, {}, "", ""});
    dots.points.push_back({x,
                           y,
                           {},
                           {},
                           "",
                           fmt::format("{}: {} p99 {}, {} in time",
                                       number_of(machines, "machine"),
                                       waiting.name,
                                       latency_text(wait),
                                       chance(fleet.p_enough))});
  }
  for (auto* series : {&band, &line, &dots}) {
    chart.series.push_back(std::move(*series));
  }
}

struct Part {
  const char* name;
  const char* role;
};

RowChart stacked(std::string id,
                 std::string title,
                 const std::string& x,
                 std::span<const Part> parts) {
  RowChart chart;
  chart.id = std::move(id);
  chart.title = std::move(title);
  chart.x = {x, Scale::linear, {}, true};
  chart.fixed_range = Range{0, 100};
  chart.stacked = true;
  for (const auto& part : parts) {
    chart.key.push_back({part.name, part.role, Mark::dots, Shape::square, false, {}});
  }
  return chart;
}

ChartRow row_of(const Recommendation& answer,
                std::size_t index,
                std::span<const Part> parts,
                std::span<const double> amounts,
                std::string (*words)(double)) {
  double sum = 0;
  for (const double amount : amounts) {
    sum += amount;
  }
  ChartRow row;
  row.label = option_name(answer.options[index]);
  row.strong = answer.chosen && index == 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    row.bars.push_back({parts[i].role,
                        100 * amounts[i] / sum,
                        fmt::format("{}: {} ~{} ({})",
                                    row.label,
                                    parts[i].name,
                                    words(amounts[i]),
                                    percent(amounts[i] / sum))});
  }
  return row;
}

constexpr std::array memory_parts{Part{"weights", "one"},
                                  Part{"caches of what is in flight", "two"},
                                  Part{"room for more", "three"},
                                  Part{"kept for other things", "five"}};
constexpr std::array time_parts{Part{"weights, or products where they take longer", "one"},
                                Part{"caches", "two"},
                                Part{"all-reduces", "three"},
                                Part{"launches and sampling", "five"}};

// Of one GPU, in bytes, in the order of the parts.
std::array<double, 4> memory_of(const TokenFleet& fleet) {
  const auto& server = fleet.server;
  const double usable = server.gpu.memory_bytes;
  const double weights = server.work.weight_bytes;
  const int tokens = server.lengths.tokens();
  const double caches = std::min(
      usable - weights, fleet.expected.point.sequences * sequence_cache_bytes(server.work, tokens));
  return {weights, caches, usable - weights - caches, server.gpu.kept_bytes};
}

// Of an iteration at the mean number in flight, in seconds.
std::array<double, 4> time_of(const TokenFleet& fleet) {
  const auto& server = fleet.server;
  const auto step = decode_step(server.work,
                                server.gpu,
                                std::max(1.0, fleet.expected.point.sequences),
                                mean_context(server.lengths));
  return {
      std::max(step.weights_s, step.products_s), step.caches_s, step.reduces_s, step.overhead_s};
}

}  // namespace

XyChart token_machines_chart(const Recommendation& answer) {
  XyChart chart;
  chart.id = "chart-machines";
  chart.title = answer.chosen
                    ? fmt::format("Waiting by the number of {}", option_name(*answer.chosen))
                    : std::string("Waiting by the number of machines");
  chart.description =
      "Lines are the law of decoding, bands its intervals, as shares of the limits asked for: what "
      "is under the level line is in time. Fewer machines than drawn are asked for more than they "
      "can write.";
  chart.x = {"machines", Scale::linear, {}, false};
  chart.y = {"99th percentile / its limit", Scale::linear, {}, true};
  chart.when_empty = "Nothing was chosen, or the saved answer does not hold its replicas' law.";
  const auto points = fleet_points(answer);
  if (points.empty()) {
    return chart;
  }
  const std::size_t each = points.size() / 10 + 1;
  for (std::size_t i = 0; i < points.size(); i += each) {
    chart.x.ticks.push_back(points[i].machines);  // there is no half a machine
  }
  for (const auto& waiting : limited(*answer.query.tokens)) {
    add_waiting(points, waiting, chart);
  }
  const double chosen = answer.chosen->tokens->machines;
  chart.guides = {{false, 1, "the limits", std::nullopt},
                  {true, chosen, "chosen", Range{chosen, chosen}}};
  return chart;
}

Table token_machines_table(const Recommendation& answer) {
  Table table({{"machines", Align::right},
               {"p99 first token", Align::right},
               {"p99 token", Align::right},
               {"load", Align::right},
               {"in time", Align::right},
               {"a month", Align::right}});
  for (const auto& [machines, fleet] : fleet_points(answer)) {
    const auto& option = *answer.chosen;
    const auto wait = [&fleet = fleet](double DecodeLatency::*which) {
      return latency_text(waiting_of(fleet, which, 0.9, Source::scaled));
    };
    table.add({std::to_string(machines),
               wait(&DecodeLatency::first_token_p99_s),
               wait(&DecodeLatency::token_p99_s),
               percent(fleet.utilisation),
               chance(fleet.p_enough),
               "~" + money(option.cost.value / option.nodes * machines, option.cost.unit)});
  }
  return table;
}

RowChart token_memory_chart(const Recommendation& answer, std::size_t limit) {
  auto chart = stacked("chart-memory",
                       "Where the memory of each option's GPUs goes",
                       "share of a GPU's memory, %",
                       memory_parts);
  chart.description =
      "At the load asked for, in the mean, every sequence at its full length. Where there is no "
      "room for more, sequences wait to be let in.";
  chart.note_title = "weights";
  chart.when_empty = "No option is left to explain.";
  for (std::size_t i = 0; i < std::min(limit, answer.options.size()); ++i) {
    const auto& option = answer.options[i];
    if (option.tokens && option.tokens->server.gpu.memory_bytes > 0) {
      const auto parts = memory_of(*option.tokens);
      chart.rows.push_back(row_of(answer, i, memory_parts, parts, bytes));
      chart.rows.back().note = bytes(parts[0]);
    }
  }
  return chart;
}

RowChart token_time_chart(const Recommendation& answer, std::size_t limit) {
  auto chart = stacked("chart-bottleneck",
                       "What an iteration of each option is made of",
                       "share of the time from token to token, prompts aside, %",
                       time_parts);
  chart.description =
      "At the load asked for, with as many sequences in flight as there are in the mean. Weights "
      "are "
      "read once for all of them, caches for each.";
  chart.note_title = "an iteration";
  chart.when_empty = "No option is left to explain, or the saved answer does not hold its law.";
  for (std::size_t i = 0; i < std::min(limit, answer.options.size()); ++i) {
    if (has_law(answer.options[i])) {
      const auto parts = time_of(*answer.options[i].tokens);
      chart.rows.push_back(row_of(answer, i, time_parts, parts, duration));
      chart.rows.back().note = "~" + duration(parts[0] + parts[1] + parts[2] + parts[3]);
    }
  }
  return chart;
}

}  // namespace rightsize::report
