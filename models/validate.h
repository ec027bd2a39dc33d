// How wrong the model is: predicted against measured, error and interval coverage, point by point.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/estimate.h"
#include "models/fit.h"
#include "models/laws/cpu_speed.h"
#include "models/model.h"
#include "models/pipeline.h"
#include "profiler/record.h"

namespace rightsize {

struct ValidationRow {
  std::string id;
  std::string name;
  double measured = 0;
  Estimate predicted;
  double relative_error = 0;  // predicted / measured - 1
  bool inside = false;        // the interval holds the measurement
  Bound limited_by = Bound::accelerator;
};

struct Validation {
  std::vector<ValidationRow> rows;
  std::vector<std::string> unpredicted;  // held-out runs whose laws the model does not have
  double median_error = 0;               // of |relative_error|
  double p90_error = 0;
  double coverage = 0;  // share of rows whose interval holds the measurement
};

// Predicts the usable held-out records. Rows keep the order of the records.
[[nodiscard]] Validation validate_held_out(const Model& model, std::span<const Record> records);

// Sets the figures of its rows.
void summarise(Validation& validation);

// Predicts every usable record by a model that has seen neither it nor the repeats of its cell: as
// many models as `folds`, each fitted, intervals and all, without one of them. Which cells make a
// fold is drawn, by a seed of its own: in the order of a grid a fold would be one value of a limit.
// Rows fold by fold. Throws ModelError for fewer cells than folds.
[[nodiscard]] Validation validate_by_folds(std::span<const Record> records,
                                           int folds,
                                           const FitOptions& options = {});

// A limit of runs, whose values make the parts of a grid.
enum class GridLimit { cpus, memory, disk_read };

// The harder question: every usable record by a model that has seen no run at its value of `limit`,
// as of a memory size that was never tried. Rows value by value. Throws ModelError for one value.
[[nodiscard]] Validation validate_by_values(std::span<const Record> records,
                                            GridLimit limit,
                                            const FitOptions& options = {});

// Predicts every usable record of machines whose CPU is not the model's, as `predict` would: the
// laws carried (carry.h), the CPU's speed from published figures or its clock, networks never
// measured on a CPU by the law of networks on CPUs. A disk that no limit holds back counts as the
// model's own.
[[nodiscard]] Validation validate_carried(const Model& model,
                                          std::span<const Record> records,
                                          const CpuSpeeds& speeds);

// The rows that one resource limits, as the model sees it; figures of them alone.
[[nodiscard]] Validation limited_by(const Validation& validation, Bound resource);

// Sets interval_factor so that `confidence` of the cross-validated errors fall inside (split
// conformal prediction: Vovk, Gammerman & Shafer, "Algorithmic learning in a random world", 2005;
// the ceil((n + 1) c)-th smallest score), and the cv_ figures. At least 1, of a handful of
// runs at least normal_90, which may have been lucky, and of more in between.
void calibrate_intervals(Model& model, std::span<const FittedRun> runs);

// False where the cv_ figures say nothing: all runs were of one setting, or none was predicted.
[[nodiscard]] bool was_cross_validated(const Model& model);

}  // namespace rightsize
