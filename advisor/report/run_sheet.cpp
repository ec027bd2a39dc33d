#include "advisor/report/run_sheet.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "advisor/report/runs.h"
#include "advisor/report/sparkline.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

std::string size_of(std::uint64_t value) {
  return bytes(static_cast<double>(value));
}

class Sheet {
 public:
  explicit Sheet(const Style& style) : style_(style) {}

  void title(const std::string& text) { text_ += style_.bold(text) + "\n"; }
  void line(std::string_view label, const std::string& value) {
    text_ += fmt::format("  {:<12} {}\n", label, value);
  }
  void line_if(bool known, std::string_view label, const std::string& value) {
    if (known) {
      line(label, value);
    }
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  const Style& style_;
  std::string text_;
};

std::string verdict(const Record& record) {
  auto text = std::string(to_string(record.status));
  if (!record.reason.empty()) {
    text += ": " + record.reason;
  }
  return text;
}

std::string rate_line(const Record& record) {
  const auto& rate = record.throughput;
  if (rate.samples < 2) {
    return rate_text(record) + "   one sample has no interval";
  }
  return fmt::format("{} {}   95 % interval {} … {}, noise {}, {} samples",
                     digits(rate.median),
                     throughput_unit(record),
                     digits(rate.low),
                     digits(rate.high),
                     percent(rate.relative_noise),
                     rate.samples);
}

std::string stages_line(const StageSeconds& stages) {
  const std::vector<std::pair<std::string_view, double>> parts{{"read", stages.read},
                                                               {"decode", stages.decode},
                                                               {"augment", stages.augment},
                                                               {"copy", stages.copy},
                                                               {"compute", stages.compute},
                                                               {"wait", stages.wait},
                                                               {"write", stages.write},
                                                               {"exchange", stages.exchange}};
  std::string text;
  for (const auto& [name, seconds] : parts) {
    if (seconds > 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, duration(seconds));
    }
  }
  return text;
}

std::string window_line(const Record& record) {
  auto text = fmt::format("{} items in {}", count(record.items), duration(record.seconds));
  if (record.warmup_s > 0) {
    text += fmt::format(" after {} of warm-up", duration(record.warmup_s));
  }
  if (record.epochs > 0) {
    text += fmt::format(", {} epoch{}", record.epochs, record.epochs == 1 ? "" : "s");
  }
  return text;
}

void add_resources(const Record& record, Sheet& sheet) {
  sheet.line_if(record.achieved_cpus > 0,
                "cpus",
                fmt::format("{} used, {} per item, throttled in {} of periods",
                            digits(record.achieved_cpus),
                            duration(record.cpu_s_per_item),
                            percent(record.throttled_share)));
  sheet.line_if(record.bytes_requested + record.disk_read_bytes + record.disk_written_bytes > 0,
                "disk",
                fmt::format("{} asked for, {} read from the disk, {} written",
                            size_of(record.bytes_requested),
                            size_of(record.disk_read_bytes),
                            size_of(record.disk_written_bytes)));
  std::string memory;
  const auto add = [&](std::uint64_t value, std::string_view what) {
    if (value > 0) {
      memory += fmt::format("{}{} {}", memory.empty() ? "" : ", ", size_of(value), what);
    }
  };
  add(record.peak_memory_bytes, "charged with page cache");
  add(record.peak_rss_bytes, "resident");
  add(record.peak_anonymous_bytes, "anonymous");
  add(record.engine_memory_bytes, "for the engine");
  sheet.line_if(!memory.empty(), "memory peak", memory);
}

// Latencies as their callers saw them, and how they were spread: each bar of the picture is an
// equal factor of time.
void add_served(const Served& served, Sheet& sheet) {
  sheet.line("callers",
             fmt::format("{} requests/s came, {} were answered, {} together on average, engine {} "
                         "busy",
                         digits(served.offered_per_s),
                         digits(served.answered_per_s),
                         digits(served.mean_batch),
                         percent(served.busy)));
  sheet.line("latency",
             fmt::format("p50 {}, p95 {}, p99 {} (95 % interval {} … {}), most {}, mean {}",
                         duration(served.p50_s),
                         duration(served.p95_s),
                         duration(served.p99_s),
                         duration(served.p99_low_s),
                         served.p99_high_s ? duration(*served.p99_high_s) : "not known",
                         duration(served.most_s),
                         duration(served.mean_s)));
  if (!served.latencies.empty() && served.latencies.front().seconds < served.most_s) {
    constexpr std::size_t bars = 40;
    std::vector<double> picture(bars);
    const double low = std::log(served.latencies.front().seconds);
    const double width = std::log(served.latencies.back().seconds) - low;
    for (const auto& count : served.latencies) {
      const double at = width > 0 ? (std::log(count.seconds) - low) / width * bars : 0;
      picture[std::min(bars - 1, static_cast<std::size_t>(at))] +=
          static_cast<double>(count.requests);
    }
    sheet.line("  spread",
               fmt::format("{}  {} to {}",
                           sparkline(picture),
                           duration(served.latencies.front().seconds),
                           duration(served.most_s)));
  }
  sheet.line_if(served.waiting > 0,
                "  unanswered",
                fmt::format("{} at the end; their latencies are not known", count(served.waiting)));
  sheet.line_if(served.saturated,
                "  saturated",
                "the queue grew all along: the latencies tell how long the run was, the rate what "
                "can be answered");
}

void add_timeline(const Record& record, Sheet& sheet) {
  using Value = std::function<double(const TimelinePoint&)>;
  const auto row = [&](std::string_view label, const Value& value, auto&& shown) {
    std::vector<double> values;
    std::transform(
        record.timeline.begin(), record.timeline.end(), std::back_inserter(values), value);
    const double highest = *std::max_element(values.begin(), values.end());
    sheet.line_if(highest > 0, label, fmt::format("{}  to {}", sparkline(values), shown(highest)));
  };
  if (record.timeline.empty()) {
    return;
  }
  sheet.line(
      "timeline",
      fmt::format(
          "{} samples over {}", record.timeline.size(), duration(record.timeline.back().time_s)));
  row(
      "  cpus", [](const auto& p) { return p.cpu_cores; }, digits);
  row(
      "  resident", [](const auto& p) { return static_cast<double>(p.rss_bytes); }, bytes);
  row(
      "  page cache", [](const auto& p) { return static_cast<double>(p.cache_bytes); }, bytes);
  row(
      "  disk read", [](const auto& p) { return p.disk_read_bytes_per_s; }, bytes_per_s);
  row(
      "  disk write", [](const auto& p) { return p.disk_write_bytes_per_s; }, bytes_per_s);
  row(
      "  gpu busy", [](const auto& p) { return p.gpu_busy.value_or(0); }, percent);
  row(
      "  gpu memory",
      [](const auto& p) { return static_cast<double>(p.gpu_memory_bytes.value_or(0)); },
      bytes);
  row(
      "  gpu power",
      [](const auto& p) { return p.gpu_watts.value_or(0); },
      [](double watts) { return digits(watts) + " W"; });
}

// "of the run: a CPU 12 % (full 3 %), the disk 0 %"
std::string pressure_line(const PressureShares& pressure) {
  std::string text;
  const auto add = [&](std::string_view what,
                       const std::optional<double>& some,
                       const std::optional<double>& full) {
    if (some) {
      text += fmt::format("{} {} {}", text.empty() ? "" : ",", what, percent(*some));
      text += full && *full > 0 ? fmt::format(" (all of them {})", percent(*full)) : "";
    }
  };
  add("a CPU", pressure.cpu_some, pressure.cpu_full);
  add("the disk", pressure.io_some, pressure.io_full);
  add("memory", pressure.memory_some, pressure.memory_full);
  return fmt::format("tasks of the {} waited for{} of the time", pressure.of, text);
}

std::string core_speed_line(const CoreSpeed& speed) {
  auto text = fmt::format("{} M links/s before the run, {} after it",
                          digits(speed.before_per_s / 1e6),
                          digits(speed.after_per_s / 1e6));
  if (speed.usual_per_s) {
    text += fmt::format(", usually {}", digits(*speed.usual_per_s / 1e6));
  }
  return text;
}

void add_provenance(const Record& record, Sheet& sheet) {
  sheet.line_if(!record.machine.cpu_model.empty(), "machine", machine_key(record.machine));
  sheet.line_if(!record.throttle.empty(), "limits by", record.throttle);
  for (const auto& note : record.throttle_notes) {
    sheet.line("note", note);
  }
  std::string software;
  for (const auto& [name, version] : record.software) {
    software += fmt::format("{}{} {}", software.empty() ? "" : ", ", name, version);
  }
  sheet.line_if(!software.empty(), "software", software);
  sheet.line_if(record.steal_share + record.neighbour_cpus > 0,
                "disturbance",
                fmt::format("{} of CPU time stolen, {} CPUs kept busy by others",
                            percent(record.steal_share),
                            digits(record.neighbour_cpus)));
  sheet.line_if(record.pressure != PressureShares{}, "pressure", pressure_line(record.pressure));
  if (record.core_speed) {
    sheet.line("core speed", core_speed_line(*record.core_speed));
  }
  sheet.line_if(!record.command.empty(), "command", record.command);
  sheet.line_if(!record.repro.empty(), "repro", record.repro);
}

}  // namespace

std::string run_sheet(const Record& record, const Style& style) {
  Sheet sheet(style);
  sheet.title(record.name + (record.hold_out ? " (held out)" : ""));
  sheet.line("id",
             fmt::format("{}, campaign {}, repeat {}", record.id, record.campaign, record.repeat));
  sheet.line_if(!record.started_at.empty(), "started", record.started_at);
  sheet.line("work", work_text(record));
  sheet.line("limits", limits_text(record));
  sheet.line("status", verdict(record));
  sheet.line_if(record.throughput.samples > 0, "throughput", rate_line(record));
  if (record.cold_items_per_s) {
    sheet.line("first epoch", digits(*record.cold_items_per_s) + " items/s, read from the disk");
  }
  if (record.served) {
    add_served(*record.served, sheet);
  }
  sheet.line_if(!record.differential.empty(),
                "differential",
                fmt::format("{}: the part with {} data", record.differential, record.part));
  sheet.line_if(record.step_p50_s > 0,
                "step",
                fmt::format("p50 {}, p90 {}, p99 {}",
                            duration(record.step_p50_s),
                            duration(record.step_p90_s),
                            duration(record.step_p99_s)));
  sheet.line_if(record.items > 0, "window", window_line(record));
  if (record.first_loss && record.last_loss) {
    sheet.line(
        "loss",
        fmt::format("{:.4g} at first, {:.4g} at last", *record.first_loss, *record.last_loss));
  }
  const auto stages = stages_line(record.stages);
  sheet.line_if(!stages.empty(), "per item", stages);
  add_resources(record, sheet);
  add_timeline(record, sheet);
  add_provenance(record, sheet);
  return sheet.take();
}

}  // namespace rightsize::report
