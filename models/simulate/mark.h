// The counters of a pipeline at one instant, and what happened between two of them.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "models/simulate/pipeline.h"

namespace rightsize::simulate {

struct Mark {
  double time_s = 0;
  double disk_s = 0;  // of its limit
  double cpu_s = 0;   // core-seconds
  double device_s = 0;
  double copy_s = 0;
  double ready_batch_s = 0;  // minibatches x seconds that they waited
  std::uint64_t steps = 0;
};

[[nodiscard]] inline SimulationSummary summary_between(const Mark& begin,
                                                       const Mark& end,
                                                       const Setting& setting) {
  SimulationSummary summary;
  summary.seconds = end.time_s - begin.time_s;
  summary.items =
      (end.steps - begin.steps) * static_cast<std::uint64_t>(std::max(1, setting.workload.batch));
  summary.items_per_s = static_cast<double>(summary.items) / summary.seconds;
  summary.disk_busy = std::min(1.0, (end.disk_s - begin.disk_s) / summary.seconds);
  summary.cpu_busy = (end.cpu_s - begin.cpu_s) / summary.seconds / setting.cpus;
  const double device_s = end.device_s - begin.device_s;
  summary.accelerator_busy = std::min(1.0, device_s / summary.seconds);  // rounding
  summary.accelerator_wait = 1.0 - summary.accelerator_busy;
  summary.accelerator_copy = (end.copy_s - begin.copy_s) / device_s;
  summary.ready_batches_mean = (end.ready_batch_s - begin.ready_batch_s) / summary.seconds;
  assert(device_s < summary.seconds * (1 + 1e-9));
  return summary;
}

}  // namespace rightsize::simulate
