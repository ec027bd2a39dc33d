// What a million requests cost by load: the other half of service_charts.h.
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "advisor/judge/mishap.h"
#include "advisor/report/charts.h"
#include "advisor/report/option_text.h"
#include "advisor/report/service_charts.h"
#include "advisor/report/service_text.h"
#include "advisor/report/units.h"
#include "models/predict.h"
#include "pricing/bill.h"

namespace rightsize::report {
namespace {

constexpr std::array<const char*, 4> roles{
    "chosen", "one", "two", "four"};  // three is close to chosen
constexpr std::array<Shape, 4> shapes{
    Shape::diamond, Shape::square, Shape::triangle, Shape::circle};
constexpr double widest = 10;  // times the load, down and up

bool has_law(const Option& option) {
  return option.tokens ? option.tokens->server.gpu.bytes_per_s > 0  // not read from a file
                       : option.service && option.service->server.time.known();
}

double load_now(const Query& query) {
  return query.tokens ? query.tokens->sequences_per_s : query.service->requests_per_s;
}

// "requests", or "tokens" that sequences hold.
const char* million_of(const Query& query) {
  return query.tokens ? "tokens written" : "requests";
}

const char* load_unit(const Query& query) {
  return query.tokens ? "sequences" : "requests";
}

// As many as answer so much in time; 0: no number does.
int machines_at(const Query& query, const Option& option, double load_per_s) {
  if (query.tokens) {
    TokenService service = *query.tokens;
    service.sequences_per_s = load_per_s;
    const auto& server = option.tokens->server;
    return token_machines_enough(service, server, deviations_at(query.confidence));
  }
  Service service = *query.service;
  service.requests_per_s = load_per_s;
  service.machines.reset();
  return size_fleet(service, option.service->server, query.confidence, normal_90).machines;
}

// The chosen, and the best of each other GPU.
std::vector<const Option*> compared(const Recommendation& answer) {
  std::vector<const Option*> all;
  std::set<std::string> seen;
  for (const auto& option : answer.options) {
    if (all.size() < roles.size() && has_law(option) && seen.insert(option.gpu).second) {
      all.push_back(&option);
    }
  }
  return all;
}

// What a million cost when so many come each second; nothing where no number answers.
std::optional<double> cost_at(const Query& query, const Option& option, double load_per_s) {
  const int machines = machines_at(query, option, load_per_s);
  if (machines == 0) {
    return std::nullopt;
  }
  const double month = option.cost.value / option.nodes * machines;
  const int each = query.tokens ? query.tokens->output_tokens : 1;
  return month / (load_per_s * each * query.hours_of_month() * 3600) * 1e6;
}

// From a tenth to ten times the load, in equal ratios.
std::vector<double> loads(const Recommendation& answer, int steps) {
  std::vector<double> all;
  for (int i = 0; i <= steps; ++i) {
    all.push_back(load_now(answer.query) * std::pow(widest, 2.0 * i / steps - 1));
  }
  return all;
}

}  // namespace

XyChart load_chart(const Recommendation& answer) {
  constexpr int steps = 160;
  XyChart chart;
  chart.id = "chart-load";
  const auto* million = million_of(answer.query);
  const auto* unit = load_unit(answer.query);
  chart.title = fmt::format("What a million {} cost, by load", million);
  chart.description =
      "As many machines as answer in time at each load; every tooth is a machine more. The chosen "
      "one and the best of each other GPU.";
  chart.x = {fmt::format("{} per second (log)", unit), Scale::logarithmic, {}, false};
  chart.y = {fmt::format("a million {}, {} (log)", million, answer.query.currency),
             Scale::logarithmic,
             {},
             false};
  chart.when_empty =
      "Nothing is left to draw, or the saved answer does not hold its servers' laws.";
  const auto options = compared(answer);
  for (std::size_t i = 0; i < options.size(); ++i) {
    Series series{option_name(*options[i]), roles[i], Mark::line, shapes[i], i > 0, {}};
    for (const double load : loads(answer, steps)) {
      if (const auto cost = cost_at(answer.query, *options[i], load)) {
        series.points.push_back({load, *cost, {}, {}, "", ""});
      }
    }
    if (!series.points.empty()) {
      chart.series.push_back(std::move(series));
    }
  }
  if (!chart.series.empty()) {
    const double now = load_now(answer.query);
    chart.guides = {{true, now, fmt::format("asked: {} {}/s", digits(now), unit), Range{now, now}}};
  }
  return chart;
}

Table load_table(const Recommendation& answer) {
  constexpr int steps = 8;
  std::vector<Column> columns{{std::string(load_unit(answer.query)) + "/s", Align::right}};
  const auto options = compared(answer);
  for (const auto* option : options) {
    columns.push_back({option_name(*option), Align::right});
  }
  Table table(columns);
  if (options.empty()) {
    return table;
  }
  for (const double load : loads(answer, steps)) {
    std::vector<std::string> cells{digits(load)};
    for (const auto* option : options) {
      const auto cost = cost_at(answer.query, *option, load);
      cells.push_back(cost ? "~" + fine_money(*cost, option->cost.unit) : "—");
    }
    table.add(std::move(cells));
  }
  return table;
}

}  // namespace rightsize::report
