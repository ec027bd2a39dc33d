// The conditions a throughput is predicted for: what work, on how much of what machine. The same
// type describes a run that was measured and a cloud instance that never was.
#pragma once

#include <cstdint>

#include "kernels/workload.h"
#include "models/laws/disk.h"
#include "profiler/record.h"

namespace rightsize {

struct Setting {
  Workload workload;
  double cpus = 1;                    // vCPUs
  double cpu_speed = 1;               // per vCPU, relative to the machine the model was fitted on
  std::uint64_t memory_bytes = 0;     // resident memory and page cache together
  std::uint64_t resident_bytes = 0;   // of the processes: what the page cache cannot have
  DiskSpeed disk;                     // bytes_per_s = 0: as fast as the measured machine's own
  double disk_write_bytes_per_s = 0;  // 0: likewise
  std::uint64_t dataset_items = 0;
  std::uint64_t dataset_bytes = 0;     // on disk
  double accelerator_items_per_s = 0;  // all GPUs together; 0: the CPU does the network
  // Parts of the accelerator's step that are no computing: waiting for gradients beyond what the
  // backward pass hides, and for the host's launches. They do not change the rate above.
  double exchange_share = 0;
  double launch_share = 0;
  double copy_items_per_s = 0;    // host to device, overlapped; 0: not a limit
  bool copy_before_step = false;  // the replay engine: copies, then computes
  int loader_threads = 1;
};

// What a record was measured under.
[[nodiscard]] Setting setting_of(const Record& record);

}  // namespace rightsize
