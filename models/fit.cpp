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

// What is left when the parameters are right: robust standard deviation of ln(measured/predicted).
double leftover_noise(const Model& model,
                      std::span<const Observation* const> observations,
                      double floor) {
  std::vector<double> sizes;
  for (const auto* seen : observations) {
    const auto laws = laws_of(model, seen->setting.workload);
    if (seen->miss < 0) {
      sizes.push_back(std::abs(seen->log_measured - log_predicted(laws, *seen)));
    }
  }
  return sizes.empty() ? floor : std::max(floor, 1.4826 * median_of(sizes));
}

// Each run predicted by a model fitted without its fold.
void cross_validate(const Model& whole,
                    const std::vector<Observation>& observations,
                    const std::vector<Observation>& cold,
                    const FitOptions& options,
                    FitSummary& summary) {
  std::map<std::string, int> fold_of_cell;
  for (const auto& seen : observations) {
    fold_of_cell.try_emplace(seen.cell, static_cast<int>(fold_of_cell.size()) % options.folds);
  }
  for (int fold = 0; fold < std::min<int>(options.folds, static_cast<int>(fold_of_cell.size()));
       ++fold) {
    std::vector<const Observation*> kept;
    for (const auto& seen : observations) {
      if (fold_of_cell[seen.cell] != fold) {
        kept.push_back(&seen);
      }
    }
    for (const auto& seen : cold) {
      if (fold_of_cell[seen.cell] != fold) {
        kept.push_back(&seen);
      }
    }
    if (kept.empty()) {
      continue;  // one cell only: nothing is left to predict it from
    }
    Model model = whole;
    std::vector<Observation> warm;
    for (const auto* seen : kept) {
      if (seen->miss < 0) {
        warm.push_back(*seen);
      }
    }
    model.parameters = Priors(warm, options.disk_bytes_per_s)
                           .parameters();  // not even the starting values have seen the fold
    static_cast<void>(solve(model, kept));
    model.noise = leftover_noise(model, kept, options.noise_floor);
    for (std::size_t i = 0; i < observations.size(); ++i) {
      if (fold_of_cell[observations[i].cell] == fold) {
        const auto& setting = observations[i].setting;
        try {
          const auto prediction = Predictor(model, setting.workload).predict(setting);
          summary.runs[i].predicted = prediction.items_per_s;
          summary.runs[i].log_sd = prediction.log_sd;
        } catch (const ModelError&) {
          summary.runs[i].predicted = 0;  // its laws were in no other cell
        }
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

void warn_unidentified(FitSummary& summary) {
  for (const auto& parameter : summary.model.parameters) {
    // No run can determine what holds beyond all runs.
    if (parameter.name != "cpu_contention_beyond" &&
        parameter.fitted_sd > 0.8 * parameter.prior_sd && parameter.prior_sd > 0.2) {
      summary.warnings.push_back(
          fmt::format("{} is hardly determined by these runs: {:.3g} {} is mostly its prior",
                      parameter.name,
                      parameter.value,
                      parameter.unit));
    }
  }
}

}  // namespace

FitSummary fit(std::span<const Record> records, const FitOptions& options) {
  const auto observations = observations_of(records, options);
  if (observations.size() < 4) {
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
  summary.model.noise = leftover_noise(summary.model, all, options.noise_floor);
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
  return summary;
}

}  // namespace rightsize
