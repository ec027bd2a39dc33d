// What a fit sees of a record: the setting, ln(throughput) and how well it is known.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/fit.h"
#include "models/setting.h"
#include "profiler/record.h"

namespace rightsize {

struct Observation {
  const Record* record;
  Setting setting;
  double log_measured;
  double sd;
  double miss;       // 1: the first epoch, nothing cached; -1: steady state
  std::string cell;  // workload and limits: repeats of one stay in one fold
};

// Usable records that are not held out; runs on a GPU are rates, not laws, and are left to
// Model::gpu_rates. A program of the user's is a network of that name on the CPU, without data of
// its own; its runs under a disk limit are left out, and those whose steps are bytes or CPU
// seconds. The observations borrow the records.
[[nodiscard]] std::vector<Observation> observations_of(std::span<const Record> records,
                                                       const FitOptions& options);

// First epochs under a disk limit: they show the disk alone, whatever was cached later. One short
// epoch with the pipeline still filling is worth less than a steady state.
[[nodiscard]] std::vector<Observation> cold_observations_of(std::span<const Observation> warm);

// ln(items/s) under `laws`.
[[nodiscard]] double log_predicted(const Laws& laws, const Observation& seen);

}  // namespace rightsize
