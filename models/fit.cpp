#include "models/fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "models/least_squares.h"
#include "models/predict.h"
#include "models/setting.h"
#include "models/validate.h"

namespace rightsize {
namespace {

struct Observation {
  const Record* record;
  Setting setting;
  double log_measured;
  double sd;
  double miss;       // 1: the first epoch, nothing cached; -1: steady state
  std::string cell;  // repeats of one cell stay in one fold
};

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<Observation> observations_of(std::span<const Record> records,
                                         const FitOptions& options) {
  std::vector<Observation> found;
  for (const auto& record : records) {
    const bool on_gpu = record.workload.engine == EngineKind::gpu;  // a rate, not a law: see below
    if (is_usable(record) && !record.hold_out && !on_gpu && record.throughput.median > 0) {
      const double noise =
          record.throughput.relative_noise / std::sqrt(std::max(1, record.throughput.samples));
      found.push_back({&record,
                       setting_of(record),
                       std::log(record.throughput.median),
                       std::hypot(options.noise_floor, noise),
                       -1,
                       record.campaign + "/" + record.name});
    }
  }
  return found;
}

// First epochs under a disk limit: they show the disk alone, whatever was cached later. One short
// epoch with the pipeline still filling is worth less than a steady state.
std::vector<Observation> cold_observations_of(std::span<const Observation> warm) {
  constexpr double cold_sd = 0.06;
  std::vector<Observation> found;
  for (const auto& seen : warm) {
    if (seen.record->cold_items_per_s && seen.record->limits.disk_read_bytes_per_s > 0) {
      auto cold = seen;
      cold.log_measured = std::log(*seen.record->cold_items_per_s);
      cold.sd = cold_sd;
      cold.miss = 1;
      found.push_back(cold);
    }
  }
  return found;
}

double log_predicted(const Laws& laws, const Observation& seen) {
  return std::log(composed_items_per_s(bounds_of(laws, seen.setting, seen.miss), laws.sharpness));
}

// Starting values that the runs give directly, before any law is fitted.
class Priors {
 public:
  explicit Priors(std::span<const Observation> observations) {
    for (const auto& seen : observations) {
      const auto& record = *seen.record;
      const bool on_cpu =
          record.workload.engine == EngineKind::cpu && record.workload.phase != Phase::preprocess;
      const bool with_data = record.workload.data != DataFormat::synthetic ||
                             record.workload.phase == Phase::preprocess;
      if (on_cpu) {
        compute_[compute_key(record.workload)].push_back(seen.setting.cpus /
                                                         record.throughput.median);
      } else if (with_data && record.cpu_s_per_item > 0) {
        data_[data_key(record.workload)].push_back(record.cpu_s_per_item);
      }
      if (on_cpu && with_data) {
        data_with_compute_.insert(data_key(record.workload));
      }
      if (record.seconds > 0) {
        fastest_disk_ =
            std::max(fastest_disk_, static_cast<double>(record.disk_read_bytes) / record.seconds);
      }
      if (record.workload.engine == EngineKind::replay && record.stages.copy > 0) {
        copy_.push_back(record.stages.copy);
      }
      if (record.workload.phase == Phase::preprocess && record.stages.write > 0) {
        serial_[data_key(record.workload)].push_back(record.stages.write);
      }
      if (with_data && record.bytes_requested > 0) {
        auto& most = amplification_[data_key(record.workload)];
        most = std::max(most,
                        static_cast<double>(record.disk_read_bytes) /
                            static_cast<double>(record.bytes_requested));
      }
    }
  }

  [[nodiscard]] std::vector<Parameter> parameters() const {
    std::vector<Parameter> list;
    const auto add = [&](std::string name, std::string unit, double prior, double sd) {
      list.push_back({std::move(name), std::move(unit), prior, prior, sd, sd});
    };
    for (const auto& [key, values] : compute_) {
      const double per_item = *std::min_element(values.begin(), values.end());
      add("compute_s_per_item/" + key, "vCPU s", per_item, 0.7);
      add("compute_fixed_s/" + key, "vCPU s", per_item, 1.5);
    }
    for (const auto& [key, values] : data_) {
      add("cpu_s_per_item/" + key, "vCPU s", median_of(values), 0.3);
    }
    for (const auto& key : data_with_compute_) {
      if (!data_.contains(key)) {
        add("cpu_s_per_item/" + key, "vCPU s", 1e-3, 1.5);
      }
    }
    for (const auto& [key, values] : serial_) {
      add("serial_s_per_item/" + key, "s", median_of(values), 0.3);
    }
    for (const auto& [key, most] : amplification_) {
      // More bytes than were asked for is read-ahead; a little more is the noise of short windows.
      if (most > 1.5) {
        add("read_amplification/" + key, "", most, 0.5);
      }
    }
    add("copy_s_per_item", "s", copy_.empty() ? 5e-5 : median_of(copy_), 0.2);
    add("fixed_contention", "", 0.3, 1.0);
    add("cpu_contention", "", 0.03, 1.0);
    add("disk_efficiency", "", 1.0, 0.1);
    add("disk_latency_s", "s", 3e-4, 1.0);
    add("native_disk_bytes_per_s", "B/s", std::max(2e8, fastest_disk_), 0.7);
    add("cache_protection", "", 0.4, 0.7);
    add("pipeline_sharpness", "", 7.0, 0.7);
    return list;
  }

 private:
  std::map<std::string, std::vector<double>> compute_;
  std::map<std::string, std::vector<double>> data_;
  std::set<std::string> data_with_compute_;
  std::map<std::string, std::vector<double>> serial_;
  std::vector<double> copy_;
  std::map<std::string, double> amplification_;
  double fastest_disk_ = 0;
};

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
      const auto laws = laws_of(model, seen.setting.workload, values);
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
  model.covariance = summary.covariance;
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
    model.parameters =
        Priors(warm).parameters();  // not even the starting values have seen the fold
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

// The GPU's own speed, where it ran on data that was always ready.
std::vector<MeasuredRate> gpu_rates_of(std::span<const Record> records) {
  std::vector<MeasuredRate> rates;
  for (const auto& record : records) {
    const auto& work = record.workload;
    if (work.engine == EngineKind::gpu && work.data == DataFormat::synthetic && is_usable(record) &&
        !record.hold_out && !record.machine.gpus.empty()) {
      rates.push_back({work.network,
                       work.phase,
                       work.precision,
                       canonical_gpu_name(record.machine.gpus.front().name),
                       work.batch,
                       record.throughput.median});
    }
  }
  return rates;
}

void describe_evidence(Model& model, const std::vector<Observation>& observations) {
  model.runs = static_cast<int>(observations.size());
  const auto& first = *observations.front().record;
  model.machine = machine_key(first.machine);
  model.cpu_model = first.machine.cpu_model;
  for (const auto& seen : observations) {
    model.measured_at = std::max(model.measured_at, seen.record->started_at);
    auto& resident = model.resident_bytes[data_key(seen.record->workload)];
    resident = std::max(resident, static_cast<double>(seen.record->peak_anonymous_bytes));
  }
  model.tool_version = RIGHTSIZE_VERSION;
}

void warn_unidentified(FitSummary& summary) {
  for (const auto& parameter : summary.model.parameters) {
    if (parameter.fitted_sd > 0.8 * parameter.prior_sd && parameter.prior_sd > 0.2) {
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
    throw ModelError(fmt::format(
        "only {} usable runs of {} records: a fit needs at least 4, and 8 to be worth something. "
        "Run rightsize campaign first",
        observations.size(),
        records.size()));
  }
  require_one_machine(observations);
  FitSummary summary;
  summary.skipped = static_cast<int>(records.size() - observations.size());
  summary.model.parameters = Priors(observations).parameters();
  summary.model.confidence = options.confidence;
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
  summary.model.gpu_rates = gpu_rates_of(records);
  warn_unidentified(summary);
  return summary;
}

}  // namespace rightsize
