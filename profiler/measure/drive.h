// The measuring loop: warm up, cut the run into windows, stop when enough was seen.
#pragma once

#include <functional>

#include "profiler/measure/clock.h"
#include "profiler/measure/process_counters.h"
#include "profiler/measure/stopping.h"
#include "profiler/measure/task.h"
#include "profiler/measure/window.h"

namespace rightsize {

struct DriveResult {
  bool noisy = false;
  std::string reason;  // when noisy
  double warmup_s = 0;
  std::optional<double> cold_items_per_s;  // the first epoch, from its first read to its last step
};

// Steps `task` until the rule is content or the work is over; `report` gets each window as it ends.
[[nodiscard]] DriveResult drive(
    Task& task,
    const StopOptions& options,
    Clock& clock,
    const std::function<void(const RunWindow&)>& report,
    const std::function<ProcessCounters()>& counters = read_process_counters);

}  // namespace rightsize
