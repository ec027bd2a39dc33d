// From what the worker said and the parent saw to a Record with a verdict. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/measure/run_spec.h"
#include "profiler/measure/task.h"
#include "profiler/measure/window.h"
#include "profiler/record.h"
#include "profiler/throttle/throttle.h"

namespace rightsize {

// Everything a worker reported before it ended.
struct WorkerReport {
  std::optional<TaskInfo> info;
  std::vector<RunWindow> windows;
  bool done = false;
  bool noisy = false;
  std::string noise_reason;
  double warmup_s = 0;
  std::optional<double> cold_items_per_s;
  std::vector<std::string> notes;  // of the work itself
  std::string error_kind;  // "unsupported", "out_of_memory", "failed"; empty: no error reported
  std::string error_message;

  // Takes in one line; throws RecordError for a line that is not an event.
  void add(const std::string& line);
};

// What the parent saw of the process and its surroundings.
struct Surroundings {
  int wait_status = 0;
  bool timed_out = false;
  double timeout_s = 0;
  std::string last_words;
  std::optional<StepRule> awaited;  // of a program none of whose steps was seen yet
  Usage usage;
  std::uint64_t peak_rss_bytes = 0;
  std::uint64_t peak_anonymous_bytes = 0;
  double steal_share = 0;  // of the machine's CPU time
  double idle_share = 1;
  double neighbour_cpus = 0;
  PressureShares machine_pressure;
  PressureShares group_pressure;  // of the run alone, where the throttle can tell
  std::optional<CoreSpeed> core_speed;
  std::vector<std::string> not_imposed;
  double token_bucket_bytes_per_s = 0;
};

// The windows the throughput is taken from: after warm-up, and of the warm epochs when at least
// two epochs were completed.
[[nodiscard]] std::vector<RunWindow> steady_windows(const WorkerReport& report);

// Fills in throughput, stages, counters; leaves status and reason alone.
void fill_measurements(const WorkerReport& report, const Surroundings& seen, Record& record);

// Decides status and reason of a record that fill_measurements() has filled.
void judge(const WorkerReport& report, const Surroundings& seen, Record& record);

}  // namespace rightsize
