// A measured run of the replay engine as input of the pipeline simulator: what each item cost in
// that very run, so that what is held against it is the playing, not the laws.
#pragma once

#include <algorithm>

#include "models/predict.h"
#include "models/setting.h"
#include "profiler/record.h"

namespace rightsize::test {

struct ReplayedRun {
  Laws laws;
  Setting setting;
  double miss = 0;
  double items_per_s = 0;  // as measured
  double wait_share = 0;   // of the engine's time, for data
};

inline bool is_replayed_run(const Record& record) {
  return is_usable(record) && record.workload.engine == EngineKind::replay &&
         record.workload.data == DataFormat::recordio && record.bytes_requested > 0;
}

inline ReplayedRun replayed_run(const Record& record) {
  constexpr double copying_cpu_s = 7.5e-5;  // of an item, where nothing throttles it
  ReplayedRun run;
  run.setting = setting_of(record);
  run.laws.copy_s = std::min(record.stages.copy, copying_cpu_s);
  run.laws.data_cpu_s = record.cpu_s_per_item - run.laws.copy_s;
  run.laws.native_disk.bytes_per_s = 1.2e9;
  run.laws.disk.read_latency_s = 1e-4;
  run.miss = std::min(
      1.0,
      static_cast<double>(record.disk_read_bytes) / static_cast<double>(record.bytes_requested));
  run.items_per_s = record.throughput.median;
  run.wait_share = record.stages.wait * record.throughput.median;
  return run;
}

}  // namespace rightsize::test
