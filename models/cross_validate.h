// Each run predicted by a model that was fitted without it: runs of one cell of the limits go
// together, cells by turns into folds.
#pragma once

#include <vector>

#include "models/fit.h"
#include "models/observation.h"

namespace rightsize {

// Fills in `summary.runs`, one for each observation. `cold` are the first epochs of the same runs;
// `whole` is the model of all of them.
void cross_validate(const Model& whole,
                    const std::vector<Observation>& observations,
                    const std::vector<Observation>& cold,
                    const FitOptions& options,
                    FitSummary& summary);

}  // namespace rightsize
