#include "models/cross_validate.h"

#include <algorithm>
#include <map>
#include <string>

#include "models/fitted_parameters.h"
#include "models/predict.h"
#include "models/priors.h"

namespace rightsize {
namespace {

using FoldOfCell = std::map<std::string, int>;

// Those of other folds, and what their cold halves say.
std::vector<const Observation*> kept_without(int fold,
                                             const FoldOfCell& fold_of_cell,
                                             const std::vector<Observation>& observations,
                                             const std::vector<Observation>& cold) {
  std::vector<const Observation*> kept;
  for (const auto* all : {&observations, &cold}) {
    for (const auto& seen : *all) {
      if (fold_of_cell.at(seen.cell) != fold) {
        kept.push_back(&seen);
      }
    }
  }
  return kept;
}

// Not even its starting values have seen more.
Model fitted_to(const std::vector<const Observation*>& kept,
                const Model& whole,
                const FitOptions& options) {
  std::vector<Observation> warm;
  for (const auto* seen : kept) {
    if (seen->miss < 0) {
      warm.push_back(*seen);
    }
  }
  Model model = whole;
  model.parameters = Priors(warm, options.disk_bytes_per_s).parameters();
  fit_parameters(model, kept);
  set_leftover_noise(model, kept, options.noise_floor);
  return model;
}

void predict_run(const Model& model, const Setting& setting, FittedRun& run) {
  try {
    const auto prediction = Predictor(model, setting.workload).predict(setting);
    run.predicted = prediction.items_per_s;
    run.log_sd = prediction.log_sd;
  } catch (const ModelError&) {
    run.predicted = 0;  // its laws were in no other cell
  }
}

}  // namespace

void cross_validate(const Model& whole,
                    const std::vector<Observation>& observations,
                    const std::vector<Observation>& cold,
                    const FitOptions& options,
                    FitSummary& summary) {
  FoldOfCell fold_of_cell;
  for (const auto& seen : observations) {
    fold_of_cell.try_emplace(seen.cell, static_cast<int>(fold_of_cell.size()) % options.folds);
  }
  for (int fold = 0; fold < std::min<int>(options.folds, static_cast<int>(fold_of_cell.size()));
       ++fold) {
    const auto kept = kept_without(fold, fold_of_cell, observations, cold);
    if (kept.empty()) {
      continue;  // one cell only: nothing is left to predict it from
    }
    const auto model = fitted_to(kept, whole, options);
    for (std::size_t i = 0; i < observations.size(); ++i) {
      if (fold_of_cell[observations[i].cell] == fold) {
        predict_run(model, observations[i].setting, summary.runs[i]);
      }
    }
  }
}

}  // namespace rightsize
