#include "profiler/measure/assemble.h"

#include <algorithm>

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include "profiler/command/unseen_steps.h"
#include "profiler/exact_json.h"
#include "profiler/json_fields.h"
#include "profiler/measure/conditions.h"
#include "profiler/measure/notes.h"
#include "profiler/measure/statistics.h"
#include "profiler/serving/arrivals.h"
#include "profiler/serving/latencies.h"

namespace rightsize {
namespace {

constexpr double cpu_tolerance = 1.05;
constexpr double disk_tolerance = 1.10;
constexpr double burst_s = 0.2;  // a fresh disk limit lets this much through at once

TaskInfo info_from_json(const boost::json::object& object) {
  TaskInfo info;
  const FieldReader reader(object, "ready");
  reader("dataset_items", info.dataset_items);
  reader("dataset_bytes", info.dataset_bytes);
  reader("loader_threads", info.loader_threads);
  reader("engine_threads", info.engine_threads);
  reader("engine_memory_bytes", info.engine_memory_bytes);
  reader("software", info.software);
  return info;
}

std::string memory_text(std::uint64_t bytes) {
  return fmt::format("{:.0f} MiB", static_cast<double>(bytes) / (1 << 20));
}

void fill_times(const std::vector<RunWindow>& windows, Record& record) {
  std::vector<double> rates;
  std::vector<double> steps;
  for (const auto& window : windows) {
    rates.push_back(static_cast<double>(window.items) / window.seconds);
    steps.insert(steps.end(), window.step_s.begin(), window.step_s.end());
  }
  record.throughput = summarize(rates);
  record.step_p50_s = quantile(steps, 0.5);
  record.step_p90_s = quantile(steps, 0.9);
  record.step_p99_s = quantile(steps, 0.99);
}

void fill_sums(const std::vector<RunWindow>& windows, Record& record) {
  double cpu_s = 0;
  StageSeconds sum;
  for (const auto& window : windows) {
    record.items += window.items;
    record.seconds += window.seconds;
    cpu_s += window.cpu_s;
    record.bytes_requested += window.bytes_requested;
    record.disk_read_bytes += window.disk_read_bytes;
    record.disk_written_bytes += window.disk_written_bytes;
    sum.read += window.stages.read;
    sum.decode += window.stages.decode;
    sum.augment += window.stages.augment;
    sum.copy += window.stages.copy;
    sum.compute += window.stages.compute;
    sum.wait += window.stages.wait;
    sum.write += window.stages.write;
    sum.exchange += window.stages.exchange;
  }
  if (record.items == 0 || record.seconds <= 0) {
    return;
  }
  const auto items = static_cast<double>(record.items);
  record.stages = {sum.read / items,
                   sum.decode / items,
                   sum.augment / items,
                   sum.copy / items,
                   sum.compute / items,
                   sum.wait / items,
                   sum.write / items,
                   sum.exchange / items};
  record.cpu_s_per_item = cpu_s / items;
  record.achieved_cpus = cpu_s / record.seconds;
}

void fill_info(const TaskInfo& info, Record& record) {
  record.dataset_items = info.dataset_items;
  record.dataset_bytes = info.dataset_bytes;
  record.loader_threads = info.loader_threads;
  record.engine_threads = info.engine_threads;
  record.engine_memory_bytes = info.engine_memory_bytes;
  for (const auto& [key, value] : info.software) {
    record.software[key] = value;
  }
}

// A reason not to believe numbers that exist; empty when there is none.
std::string doubt_about_limits(const Surroundings& seen, const Record& record) {
  const auto& limits = record.limits;
  if (limits.cpus > 0 && record.achieved_cpus > limits.cpus * cpu_tolerance) {
    return fmt::format("the cpu limit did not hold: {:.2f} CPUs used, {:g} allowed",
                       record.achieved_cpus,
                       limits.cpus);
  }
  const double limit = limits.disk_read_bytes_per_s;
  const auto read = static_cast<double>(seen.token_bucket_bytes_per_s > 0 ? record.bytes_requested
                                                                          : record.disk_read_bytes);
  if (limit > 0 && record.seconds > 0 &&
      read > limit * (disk_tolerance * record.seconds + burst_s)) {
    return fmt::format("the disk limit did not hold: {:.1f} MB/s read, {:.1f} MB/s allowed",
                       read / record.seconds / 1e6,
                       limit / 1e6);
  }
  const bool fits = record.peak_rss_bytes + record.dataset_bytes <= limits.memory_bytes;
  // What a program of the user's reads, its record does not say.
  const bool reads = record.workload.data != DataFormat::synthetic || !record.command.empty();
  for (const auto& name : seen.not_imposed) {
    const bool harmless =
        name == "cpu" || (name == "memory" && fits) || (name.starts_with("disk read") && !reads);
    if (!harmless) {
      return fmt::format("the {} limit could not be imposed here; `rightsize doctor` says why",
                         name);
    }
  }
  return "";
}

void judge_death(const WorkerReport& report, const Surroundings& seen, Record& record) {
  const auto set = [&](Status status, std::string reason) {
    record.status = status;
    record.reason = std::move(reason);
  };
  const auto limit = record.limits.memory_bytes;
  if (seen.usage.oom_kills > 0) {
    set(Status::out_of_memory,
        limit > 0 ? fmt::format("out of memory at {} (cgroup limit)", memory_text(limit))
                  : "out of memory: the kernel killed the worker");
  } else if (seen.timed_out && seen.awaited) {
    set(seen.last_words.empty() ? Status::timed_out : Status::failed,
        fmt::format("ended without a step after {:.0f} s: {}; --timeout waits longer",
                    seen.timeout_s,
                    unseen_steps(*seen.awaited, seen.last_words)));
  } else if (seen.timed_out) {
    set(Status::timed_out,
        fmt::format("no result within {:.0f} s; raise timeout, or lower seconds{}",
                    seen.timeout_s,
                    record.command.empty()
                        ? " or batch"
                        : "; --steps exit counts whole runs of a program that says little"));
  } else if (report.error_kind == "out_of_memory") {
    set(Status::out_of_memory, report.error_message);
  } else if (report.error_kind == "unsupported") {
    set(Status::unsupported, report.error_message);
  } else if (!report.error_kind.empty()) {
    set(Status::failed, report.error_message);
  } else if (WIFSIGNALED(seen.wait_status)) {
    set(Status::failed,
        fmt::format("the worker was killed by signal {} ({}){}{}",
                    WTERMSIG(seen.wait_status),
                    strsignal(WTERMSIG(seen.wait_status)),
                    seen.last_words.empty() ? "" : ": ",
                    seen.last_words));
  } else {
    set(Status::failed,
        fmt::format("the worker ended with code {} before it was done{}{}",
                    WEXITSTATUS(seen.wait_status),
                    seen.last_words.empty() ? "" : ": ",
                    seen.last_words));
  }
}

}  // namespace

void WorkerReport::add(const std::string& line) {
  const auto value = parse_exactly(line);
  if (!value || !value->is_object()) {
    throw RecordError(fmt::format("the worker said something that is no event: {}", line));
  }
  const auto& object = value->get_object();
  const FieldReader reader(object, "worker");
  const auto event = reader.text("event");
  if (event == "ready") {
    info = info_from_json(object);
  } else if (event == "window") {
    windows.push_back(window_from_json(object));
  } else if (event == "done") {
    done = true;
    reader("noisy", noisy);
    reader("reason", noise_reason);
    reader("warmup_s", warmup_s);
    reader("cold_items_per_s", cold_items_per_s);
    reader.optional("notes", notes);
  } else if (event == "error") {
    reader("kind", error_kind);
    reader("message", error_message);
  }
}

std::vector<RunWindow> steady_windows(const WorkerReport& report) {
  const int epochs = report.windows.empty() ? 0 : report.windows.back().epochs_done;
  const int first_epoch = epochs >= 2 ? 1 : 0;
  std::vector<RunWindow> kept;
  for (const auto& window : report.windows) {
    if (!window.warmup && window.epoch >= first_epoch) {
      kept.push_back(window);
    }
  }
  return kept.empty() ? report.windows : kept;
}

void fill_measurements(const WorkerReport& report, const Surroundings& seen, Record& record) {
  if (report.info) {
    fill_info(*report.info, record);
  }
  record.peak_rss_bytes = seen.peak_rss_bytes;
  record.peak_anonymous_bytes = seen.peak_anonymous_bytes;
  record.peak_memory_bytes = seen.usage.memory_peak_bytes.value_or(0);
  record.throttled_share = seen.usage.periods == 0
                               ? 0
                               : static_cast<double>(seen.usage.throttled_periods) /
                                     static_cast<double>(seen.usage.periods);
  fill_conditions(seen, record);
  if (!report.done) {
    return;  // a run that did not end well has no throughput
  }
  const auto windows = steady_windows(report);
  fill_times(windows, record);
  fill_sums(windows, record);
  if (record.workload.requests) {
    record.served = served_in(windows, group_size_of(record.workload.requests->arrivals));
  }
  if (record.served || record.part == "cold") {  // of one epoch: its items over its time
    record.throughput = mean_rate(windows);
  }
  record.warmup_s = report.warmup_s;
  record.cold_items_per_s = report.cold_items_per_s;
  record.epochs = report.windows.empty() ? 0 : report.windows.back().epochs_done;
  for (const auto& window : report.windows) {
    if (!record.first_loss) {
      record.first_loss = window.first_loss;
    }
    if (window.last_loss) {
      record.last_loss = window.last_loss;
    }
  }
  add_notes(record);
  record.throttle_notes.insert(
      record.throttle_notes.end(), report.notes.begin(), report.notes.end());
}

void judge(const WorkerReport& report, const Surroundings& seen, Record& record) {
  if (!report.done) {
    judge_death(report, seen, record);
    return;
  }
  auto doubt = doubt_about_limits(seen, record);
  if (doubt.empty()) {
    doubt = doubt_about_conditions(seen, record);
  }
  if (doubt.empty() && report.noisy) {
    doubt = report.noise_reason;
  }
  if (doubt.empty() && record.served && record.items < least_requests) {
    doubt = fmt::format("only {} requests were answered, and a p99 needs {}; raise seconds or qps",
                        record.items,
                        least_requests);
  }
  record.status = doubt.empty() ? Status::measured : Status::untrusted;
  record.reason = doubt;
}

}  // namespace rightsize
