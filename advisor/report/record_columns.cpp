#include "advisor/report/record_columns.h"

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/report/runs.h"

namespace rightsize::report {
namespace {

using Cells = std::vector<std::string>;

// The shortest text that reads back as the same number; 0 stands for what is not known or limited.
template <typename Number>
requires std::integral<Number> || std::floating_point<Number> std::string number(Number value) {
  return value == Number{} ? "" : fmt::format("{}", value);
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

constexpr std::string_view titles[] = {"id",
                                       "name",
                                       "campaign",
                                       "status",
                                       "reason",
                                       "hold_out",
                                       "repeat",
                                       "started_at",
                                       "command",
                                       "phase",
                                       "network",
                                       "engine",
                                       "precision",
                                       "batch",
                                       "data",
                                       "replay_items_per_s",
                                       "cpus",
                                       "memory_bytes",
                                       "disk_read_bytes_per_s",
                                       "disk_write_bytes_per_s",
                                       "disk_read_iops",
                                       "disk_write_iops",
                                       "isa",
                                       "throttle",
                                       "throughput",
                                       "throughput_low",
                                       "throughput_high",
                                       "throughput_unit",
                                       "windows",
                                       "cold_items_per_s",
                                       "step_p50_s",
                                       "step_p99_s",
                                       "items",
                                       "seconds",
                                       "cpus_used",
                                       "cpu_s_per_item",
                                       "disk_bytes_read",
                                       "disk_bytes_written",
                                       "peak_memory_bytes",
                                       "peak_rss_bytes",
                                       "offered_per_s",
                                       "latency_mean_s",
                                       "latency_p50_s",
                                       "latency_p95_s",
                                       "latency_p99_s",
                                       "latency_most_s",
                                       "mean_batch",
                                       "saturated",
                                       "differential",
                                       "part",
                                       "cpu_pressure",
                                       "io_pressure",
                                       "memory_pressure",
                                       "core_slowdown"};

void add_question(const Record& record, Cells& cells) {
  const auto& work = record.workload;
  const bool ours = record.command.empty();
  const auto word = [&](std::string_view text) { return ours ? std::string(text) : ""; };
  cells.insert(cells.end(),
               {record.id,
                record.name,
                record.campaign,
                std::string(to_string(record.status)),
                record.reason,
                record.hold_out ? "true" : "false",
                fmt::format("{}", record.repeat),
                record.started_at,
                record.command,
                word(to_string(work.phase)),
                ours && work.phase != Phase::preprocess ? work.network : "",
                word(to_string(work.engine)),
                word(to_string(work.precision)),
                number(work.batch),
                word(to_string(work.data)),
                number(work.replay_items_per_s)});
}

void add_limits(const Record& record, Cells& cells) {
  const auto& limits = record.limits;
  cells.insert(cells.end(),
               {number(limits.cpus),
                number(limits.memory_bytes),
                number(limits.disk_read_bytes_per_s),
                number(limits.disk_write_bytes_per_s),
                number(limits.disk_read_iops),
                number(limits.disk_write_iops),
                limits.isa,
                record.throttle});
}

void add_answer(const Record& record, Cells& cells) {
  const auto& rate = record.throughput;
  const bool known = rate.samples > 0;
  const bool interval = rate.samples > 1;  // of one window there is none
  const auto if_known = [&](auto value) { return known ? fmt::format("{}", value) : ""; };
  cells.insert(cells.end(),
               {if_known(rate.median),
                interval ? fmt::format("{}", rate.low) : "",
                interval ? fmt::format("{}", rate.high) : "",
                known ? throughput_unit(record) : "",
                number(rate.samples),
                number(record.cold_items_per_s),
                number(record.step_p50_s),
                number(record.step_p99_s),
                number(record.items),
                number(record.seconds),
                if_known(record.achieved_cpus),
                if_known(record.cpu_s_per_item),
                if_known(record.disk_read_bytes),
                if_known(record.disk_written_bytes),
                number(record.peak_memory_bytes),
                number(record.peak_rss_bytes)});
}

void add_callers(const Record& record, Cells& cells) {
  const auto& served = record.served;
  const auto of_served = [&](double Served::*field) {
    return served ? fmt::format("{}", (*served).*field) : "";
  };
  cells.insert(cells.end(),
               {of_served(&Served::offered_per_s),
                of_served(&Served::mean_s),
                of_served(&Served::p50_s),
                of_served(&Served::p95_s),
                of_served(&Served::p99_s),
                of_served(&Served::most_s),
                of_served(&Served::mean_batch),
                served ? (served->saturated ? "true" : "false") : ""});
}

void add_conditions(const Record& record, Cells& cells) {
  cells.insert(
      cells.end(),
      {record.differential,
       record.part,
       number(record.pressure.cpu_some),
       number(record.pressure.io_some),
       number(record.pressure.memory_some),
       number(record.core_speed ? record.core_speed->slowdown() : std::optional<double>())});
}

}  // namespace

Table record_columns(const std::vector<Record>& records) {
  std::vector<Column> columns;
  for (const auto title : titles) {
    columns.push_back({std::string(title)});
  }
  Table table(std::move(columns));
  for (const auto& record : records) {
    Cells cells;
    add_question(record, cells);
    add_limits(record, cells);
    add_answer(record, cells);
    add_callers(record, cells);
    add_conditions(record, cells);
    table.add(std::move(cells));
  }
  return table;
}

std::string rendered_records(const std::vector<Record>& records,
                             std::string_view format,
                             const Style& style) {
  if (format == "csv") {
    return record_columns(records).csv();
  }
  if (format != "json" && format != "jsonl" && format != "names") {
    return rendered(run_table(records), format, style);
  }
  std::string lines;
  boost::json::array list;
  for (const auto& record : records) {
    if (format == "json") {
      list.push_back(to_json(record));
    } else {
      lines += (format == "names" ? record.id : boost::json::serialize(to_json(record))) + "\n";
    }
  }
  return format == "json" ? boost::json::serialize(list) + "\n" : lines;
}

}  // namespace rightsize::report
