// Fits the model to records: robust least squares on ln(predicted / measured), every parameter
// positive by construction (the fit works on logarithms), with priors from what the runs say
// directly (CPU seconds per item, quotas), so that eight runs are enough to begin with.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/model.h"
#include "profiler/record.h"

namespace rightsize {

struct FitOptions {
  double noise_floor = 0.02;  // no run is believed to better than this
  int folds = 10;             // cross-validation; cells, not repeats, are left out
  double confidence = 0.9;
  double disk_bytes_per_s = 0;  // the machine's own disk, from its baseline; 0: not known
};

// One run, as measured and as predicted by a model that has not seen its cell.
struct FittedRun {
  std::string id;
  std::string name;
  double measured = 0;   // items/s
  double fitted = 0;     // by the model fitted to all
  double predicted = 0;  // by the model of the other folds; 0: its laws were in no other cell
  double log_sd = 0;     // of that prediction
};

struct FitSummary {
  bool converged = false;
  std::string reason = "fit() was not called";
  Model model;
  std::vector<FittedRun> runs;
  std::vector<std::string> warnings;  // parameters these runs do not determine, skipped records
  int skipped = 0;                    // unusable, or held out
};

// Uses the usable records that are not held out. Throws ModelError when there are too few (< 4).
[[nodiscard]] FitSummary fit(std::span<const Record> records, const FitOptions& options = {});

}  // namespace rightsize
