#include "advisor/report/sizing_text.h"

#include <algorithm>
#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/json_values.h"
#include "advisor/report/estimate_text.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

namespace json = boost::json;

// vCPUs and GiB come whole, rates do not.
std::string number_text(double amount, const std::string& unit) {
  return std::isinf(amount) ? "∞" : unit == "MB/s" ? digits(amount) : fmt::format("{:.0f}", amount);
}

std::string amount_text(double amount, const std::string& unit) {
  return amount > 0 ? number_text(amount, unit) + " " + unit : "any";
}

std::string interval_text(const SizeNeed& need) {
  return need.amount > 0
             ? number_text(need.low, need.unit) + " … " + number_text(need.high, need.unit)
             : "—";
}

// A bar of up to forty columns: the terminal's chart.
std::string bar(double share) {
  constexpr double columns = 40;
  std::string text;
  for (int i = 0; i < static_cast<int>(std::lround(columns * std::clamp(share, 0.0, 1.0))); ++i) {
    text += "▇";
  }
  return text;
}

std::string curve_text(const SizeNeed& need) {
  std::string text;
  for (const auto& point : need.curve) {
    text += fmt::format("  {:>12}  {:>4}  {}\n",
                        amount_text(point.amount, need.unit),
                        percent(point.utilisation),
                        bar(point.utilisation));
  }
  return text.empty() ? "" : fmt::format("\naccelerator busy by {}\n{}", need.resource, text);
}

Table trade_table(const Sizing& sizing) {
  Table table(
      {{"memory", Align::right}, {"of reads cached", Align::right}, {"disk needed", Align::right}});
  for (const auto& row : sizing.trade) {
    table.add({amount_text(row.memory_gib, "GiB"),
               percent(row.hit_ratio),
               amount_text(row.disk_bytes_per_s / 1e6, "MB/s")});
  }
  return table;
}

}  // namespace

std::vector<std::vector<std::string>> needs_rows(const Sizing& sizing) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& need : sizing.needs) {
    rows.push_back(
        {need.resource, amount_text(need.amount, need.unit), interval_text(need), need.reason});
  }
  return rows;
}

Table needs_table(const Sizing& sizing) {
  Table table({{"resource"}, {"least", Align::right}, {"90% interval", Align::right}, {"because"}});
  for (auto& row : needs_rows(sizing)) {
    table.add(std::move(row));
  }
  return table;
}

namespace {

std::string headline(const Configuration& asked, const Sizing& sizing) {
  if (!sizing.shortfall.empty()) {
    return fmt::format("Cannot for {} x {}: {}.",
                       asked.machine.gpus_per_node,
                       asked.machine.gpu,
                       sizing.shortfall);
  }
  const auto& value = sizing.answer.throughput;
  const double disk_mb = sizing.disk_bytes_per_s() / 1e6;
  return fmt::format(
      "{} x {} busy {} of the time (~{} {}) needs ~{} vCPU, ~{} GiB and a disk of {}",
      asked.machine.gpus_per_node,
      asked.machine.gpu,
      percent(sizing.target),
      digits(sizing.target * value.value),
      value.unit,
      number_text(sizing.cpus(), "vCPU"),
      number_text(sizing.needs[2].amount, "GiB"),
      disk_mb > 0 ? "~" + digits(disk_mb) + " MB/s" : "any speed");
}

}  // namespace

XyChart sizing_chart(const Sizing& sizing) {
  XyChart chart;
  chart.id = "chart-size";
  chart.title = "Accelerator busy by vCPUs";
  chart.x = {"vCPUs", Scale::linear, {}, true};
  chart.y = {"busy share of the time, %", Scale::linear, {}, true};
  if (sizing.needs.empty()) {
    return chart;
  }
  const auto& need = sizing.needs.front();
  Series line{"by the model", "one", Mark::line, {}, false, {}};
  for (const auto& point : need.curve) {
    line.points.push_back({point.amount, 100 * point.utilisation, {}, {}, "", ""});
  }
  Series dots{"", "one", Mark::dots, Shape::circle, false, line.points};
  chart.series = {std::move(line), std::move(dots)};
  if (need.amount > 0 && std::isfinite(need.amount)) {
    chart.guides = {{true,
                     need.amount,
                     fmt::format("{} of the time: {} ({})",
                                 percent(sizing.target),
                                 amount_text(need.amount, need.unit),
                                 interval_text(need)),
                     Range{need.low, need.high}}};
  }
  return chart;
}

std::string sizing_text(const Configuration& asked, const Sizing& sizing, const Style& style) {
  if (sizing.needs.empty()) {
    return estimate_text(asked, sizing.answer, style);
  }
  const auto& value = sizing.answer.throughput;
  std::string text = style.bold(headline(asked, sizing)) + "\n" +
                     fmt::format("{} {} {}, batch {}, {} [{}]\n\n",
                                 asked.network,
                                 to_string(asked.phase),
                                 to_string(sizing.answer.precision),
                                 sizing.answer.batch,
                                 data_words(asked),
                                 to_string(value.source)) +
                     needs_table(sizing).text(style) +
                     (sizing.together ? "each with plenty of the others; the first line has what "
                                        "does together\n"
                                      : "");
  for (const auto& need : sizing.needs) {
    text += curve_text(need);
  }
  if (!sizing.trade.empty()) {
    text += "\nmemory caches the data, and spares the disk\n" + trade_table(sizing).text(style);
  }
  text += "\n";
  for (const auto& note : sizing.answer.notes) {
    text += "- " + note + "\n";
  }
  return text;
}

namespace {

// `source`: of the speed that it is for.
json::object need_to_json(const SizeNeed& need, Source source) {
  json::array curve;
  for (const auto& point : need.curve) {
    curve.push_back(json::object{{"amount", point.amount}, {"utilisation", point.utilisation}});
  }
  return {{"least",
           {{"value", finite(need.amount)},
            {"low", finite(need.low)},
            {"high", finite(need.high)},
            {"confidence", 0.9},
            {"unit", need.unit},
            {"source", to_string(need.resource == "memory" ? Source::assumed : source)}}},
          {"because", need.reason},
          {"curve", curve}};
}

}  // namespace

json::object sizing_to_json(const Sizing& sizing) {
  json::object document{
      {"schema", "rightsize/size/1"},
      {"status", sizing.shortfall.empty() ? status_word(sizing.answer.verdict) : "out_of_reach"},
      {"utilisation", sizing.target}};
  if (sizing.needs.empty()) {
    document["reason"] = sizing.answer.reason;
    return document;
  }
  if (!sizing.shortfall.empty()) {
    document["reason"] = sizing.shortfall;
  }
  document["throughput"] = to_json(sizing.answer.throughput);
  document["framework"] = or_null(sizing.answer.framework);
  json::object needs;
  for (const auto& need : sizing.needs) {
    needs[need.resource] = need_to_json(need, sizing.answer.throughput.source);
  }
  document["needs"] = needs;
  if (sizing.together) {
    document["together"] = {{"vcpus", sizing.together->cpus},
                            {"memory_gib", sizing.needs[2].amount},
                            {"disk_bytes_per_s", sizing.together->disk_bytes_per_s}};
  } else {
    document["together"] = nullptr;
  }
  json::array trade;
  for (const auto& row : sizing.trade) {
    trade.push_back(json::object{{"memory_gib", row.memory_gib},
                                 {"hit_ratio", row.hit_ratio},
                                 {"disk_bytes_per_s", finite(row.disk_bytes_per_s)}});
  }
  document["disk_for_memory"] = trade;
  document["notes"] = json::value_from(sizing.answer.notes);
  return document;
}

}  // namespace rightsize::report
