#include "models/fit.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "models/least_squares.h"
#include "models/measured_gpu_rates.h"
#include "models/observation.h"
#include "models/predict.h"
#include "models/priors.h"
#include "models/seldom_measured.h"
#include "models/validate.h"

namespace rightsize {
namespace {

// Minimises over ln(parameter); writes values and covariance back into `model`.
LeastSquaresSummary solve(Model& model, std::span<const Observation* const> observations) {
  const auto parameter_count = static_cast<Eigen::Index>(model.parameters.size());
  const auto run_count = static_cast<Eigen::Index>(observations.size());
  Eigen::VectorXd start(parameter_count);
  for (Eigen::Index i = 0; i < parameter_count; ++i) {
    start[i] = std::log(model.parameters[static_cast<std::size_t>(i)].prior);
  }
  const auto residuals = [&](const Eigen::VectorXd& logs, Eigen::VectorXd& out) {
    const Eigen::VectorXd values = logs.array().exp();
    for (Eigen::Index i = 0; i < run_count; ++i) {
      const auto& seen = *observations[static_cast<std::size_t>(i)];
      const auto laws = laws_of(
          model, seen.setting.workload, {values.data(), static_cast<std::size_t>(values.size())});
      out[i] = (log_predicted(laws, seen) - seen.log_measured) / seen.sd;
    }
    for (Eigen::Index i = 0; i < parameter_count; ++i) {
      const auto& parameter = model.parameters[static_cast<std::size_t>(i)];
      out[run_count + i] = (logs[i] - std::log(parameter.prior)) / parameter.prior_sd;
    }
  };
  auto summary = minimise(residuals, start, run_count + parameter_count, run_count);
  for (Eigen::Index i = 0; i < parameter_count; ++i) {
    auto& parameter = model.parameters[static_cast<std::size_t>(i)];
    parameter.value = std::exp(summary.parameters[i]);
    parameter.fitted_sd = std::sqrt(summary.covariance(i, i));
  }
  model.covariance = Covariance(model.parameters.size());
  for (Eigen::Index row = 0; row < parameter_count; ++row) {
    for (Eigen::Index column = 0; column < parameter_count; ++column) {
      model.covariance(static_cast<std::size_t>(row), static_cast<std::size_t>(column)) =
          summary.covariance(row, column);
    }
  }
  return summary;
}

// A robust standard deviation; `floor` of fewer than a handful.
double spread_of(std::vector<double> sizes, double floor) {
  constexpr std::size_t handful = 6;
  return sizes.size() < handful ? floor : std::max(floor, 1.4826 * median_of(std::move(sizes)));
}

// What is left when the parameters are right: of ln(measured / predicted), where other resources
// set the pace, and what is added to it where the CPUs do, whose speed neighbours and clocks
// change.
void set_leftover_noise(Model& model,
                        std::span<const Observation* const> observations,
                        double floor) {
  constexpr double most = 0.5;
  std::vector<double> of_all;
  std::vector<double> of_cpus;
  std::vector<double> of_others;
  for (const auto* seen : observations) {
    if (seen->miss >= 0) {
      continue;
    }
    const auto laws = laws_of(model, seen->setting.workload);
    const auto bounds = bounds_of(laws, seen->setting);
    const double predicted = composed_items_per_s(bounds, laws.sharpness);
    const double size = std::abs(seen->log_measured - std::log(predicted));
    of_all.push_back(size);
    (cpu_share(laws, seen->setting, bounds, predicted) > most ? of_cpus : of_others)
        .push_back(size);
  }
  const double all = spread_of(of_all, floor);
  model.noise = spread_of(std::move(of_others), all);
  const double cpus = spread_of(std::move(of_cpus), all);
  model.cpu_noise = std::sqrt(std::max(0.0, cpus * cpus - model.noise * model.noise));
}

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
  static_cast<void>(solve(model, kept));
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

// Each run predicted by a model fitted without its fold.
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

// A vCPU-second of one machine is not one of another: mixing them would fit neither.
void require_one_machine(const std::vector<Observation>& observations) {
  std::map<std::string, int> machines;
  for (const auto& seen : observations) {
    ++machines[machine_key(seen.record->machine)];
  }
  if (machines.size() > 1) {
    std::string list;
    for (const auto& [key, count] : machines) {
      list += fmt::format("{}{} ({} runs)", list.empty() ? "" : ", ", key, count);
    }
    throw ModelError("the records are from different machines: " + list +
                     ". Fit them apart: name the JSONL file of one machine");
  }
}

// How fast a core was beside the runs; 0 where none says it.
double core_links_per_s(const std::vector<Observation>& observations) {
  std::vector<double> seen;
  for (const auto& observation : observations) {
    if (const auto& speed = observation.record->core_speed) {
      seen.push_back(speed->before_per_s);
    }
  }
  return seen.empty() ? 0 : median_of(std::move(seen));
}

void describe_evidence(Model& model, const std::vector<Observation>& observations) {
  model.runs = static_cast<int>(observations.size());
  const auto& first = *observations.front().record;
  model.machine = machine_key(first.machine);
  model.cpu_model = first.machine.cpu_model;
  model.core_links_per_s = core_links_per_s(observations);
  for (const auto& seen : observations) {
    model.measured_at = std::max(model.measured_at, seen.record->started_at);
    auto& resident = model.resident_bytes[data_key(seen.record->workload)];
    resident = std::max(resident, static_cast<double>(seen.record->peak_anonymous_bytes));
  }
  model.tool_version = RIGHTSIZE_VERSION;
}

double most_cpus(std::span<const Observation> observations) {
  double most = 1;
  for (const auto& seen : observations) {
    most = std::max(most, seen.setting.cpus);
  }
  return most;
}

// The runs say next to nothing of it.
bool is_undetermined(const Parameter& parameter) {
  return parameter.fitted_sd > 0.8 * parameter.prior_sd;
}

// What no run determined is as uncertain as its prior says: the conformal factor, which comes of
// runs that it played no part in, is taken out of it.
void keep_priors_unstretched(Model& model) {
  const double unstretched = normal_90 / model.interval_factor;
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    if (is_undetermined(model.parameters[i])) {
      for (std::size_t other = 0; other < model.parameters.size(); ++other) {
        model.covariance(i, other) *= unstretched;
        model.covariance(other, i) *= unstretched;
      }
    }
  }
}

// What the page cache held in the runs that read: beyond it nobody has looked.
void set_hits_seen(Model& model, std::span<const Observation> observations) {
  double least = 1;
  double most = 0;
  for (const auto& seen : observations) {
    if (seen.setting.dataset_bytes > 0 && seen.setting.workload.data != DataFormat::synthetic) {
      const auto hits = predicted_hit_ratio(laws_of(model, seen.setting.workload), seen.setting);
      least = std::min(least, hits);
      most = std::max(most, hits);
    }
  }
  if (least <= most) {
    model.least_hits = least;
    model.most_hits = most;
  }
}

void warn_unidentified(FitSummary& summary) {
  for (const auto& parameter : summary.model.parameters) {
    // No run can determine what holds beyond all runs, and few try a fraction of a vCPU.
    const bool seldom =
        parameter.name == contention_beyond_prior.name || parameter.name == quota_loss_prior.name;
    if (!seldom && is_undetermined(parameter) && parameter.prior_sd > 0.2) {
      summary.warnings.push_back(
          fmt::format("{} is hardly determined by these runs: {:.3g} {} is mostly its prior",
                      parameter.name,
                      parameter.value,
                      parameter.unit));
    }
  }
}

void require_enough(const std::vector<Observation>& observations, std::span<const Record> records) {
  if (observations.size() >= 4) {
    return;
  }
  const auto untrusted = std::count_if(records.begin(), records.end(), [](const Record& record) {
    return record.status == Status::untrusted;
  });
  throw ModelError(fmt::format(
      "only {} usable runs of {} records ({} untrusted: other processes disturbed them): a fit "
      "needs at least 4, and 8 to be worth something. Run rightsize campaign first, with "
      "--retry-failed where the machine is quieter now",
      observations.size(),
      records.size(),
      untrusted));
}

}  // namespace

FitSummary fit(std::span<const Record> records, const FitOptions& options) {
  const auto observations = observations_of(records, options);
  require_enough(observations, records);
  require_one_machine(observations);
  FitSummary summary;
  summary.skipped = static_cast<int>(records.size() - observations.size());
  summary.model.parameters = Priors(observations, options.disk_bytes_per_s).parameters();
  summary.model.confidence = options.confidence;
  summary.model.measured_cpus = most_cpus(observations);
  std::vector<const Observation*> all;
  for (const auto& seen : observations) {
    all.push_back(&seen);
  }
  const auto cold = cold_observations_of(observations);
  for (const auto& seen : cold) {
    all.push_back(&seen);
  }
  const auto solution = solve(summary.model, all);
  summary.converged = solution.converged;
  summary.reason = solution.reason;
  set_leftover_noise(summary.model, all, options.noise_floor);
  set_hits_seen(summary.model, observations);
  for (const auto& seen : observations) {
    const auto laws = laws_of(summary.model, seen.setting.workload);
    summary.runs.push_back({seen.record->id,
                            seen.record->name,
                            seen.record->throughput.median,
                            predicted_items_per_s(laws, seen.setting),
                            0,
                            0});
  }
  cross_validate(summary.model, observations, cold, options, summary);
  calibrate_intervals(summary.model, summary.runs);
  describe_evidence(summary.model, observations);
  summary.model.gpu_rates = gpu_rates_of(records, summary.warnings);
  warn_unidentified(summary);
  keep_priors_unstretched(summary.model);
  return summary;
}

}  // namespace rightsize
