#include "models/fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "models/cross_validate.h"
#include "models/fit_warnings.h"
#include "models/fitted_parameters.h"
#include "models/measured_gpu_rates.h"
#include "models/observation.h"
#include "models/predict.h"
#include "models/priors.h"
#include "models/seldom_measured.h"
#include "models/validate.h"

namespace rightsize {
namespace {

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
    throw ModelError(
        "the records are from different machines: " + list +
        ". Fit them apart: name the JSONL file of one machine (rightsize records export "
        "FILE.jsonl --machine NAME)");
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

// Runs of one program that no law of one describes - two of that name, or arguments that change the
// work - leave its seconds as uncertain as they are apart.
void widen_scattered_programs(const std::vector<Observation>& observations, FitSummary& summary) {
  constexpr double apart = 0.3;
  for (const auto& [name, cpus] : summary.model.programs) {
    double squares = 0;
    int count = 0;
    std::string key;
    for (std::size_t i = 0; i < observations.size(); ++i) {
      const auto& work = observations[i].setting.workload;
      if (work.network == name) {
        const auto& run = summary.runs[i];
        squares += std::pow(std::log(run.measured / run.fitted), 2);
        ++count;
        key = "compute_s_per_item/" + compute_key(work);
      }
    }
    const double scatter = count > 0 ? std::sqrt(squares / count) : 0;
    const int index = summary.model.index_of(key);
    if (scatter > apart && index >= 0) {
      const double sd = scatter * normal_90 / summary.model.interval_factor;
      const auto at = static_cast<std::size_t>(index);
      summary.model.covariance(at, at) += sd * sd;
      summary.model.parameters[at].fitted_sd = std::sqrt(summary.model.covariance(at, at));
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

void require_enough(const std::vector<Observation>& observations, std::span<const Record> records) {
  if (observations.size() >= 4) {
    return;
  }
  if (records.empty()) {
    throw ModelError(fmt::format(
        "there is no record to fit to: a fit needs at least 4 runs, and {} to be worth something. "
        "Run rightsize campaign or rightsize profile first",
        worth_something));
  }
  const auto untrusted = std::count_if(records.begin(), records.end(), [](const Record& record) {
    return record.status == Status::untrusted;
  });
  throw ModelError(fmt::format(
      "only {} usable runs of {} records{}: a fit needs at least 4, and {} to be worth something. "
      "Run rightsize campaign first, or profile at more values of --cpus{}",
      observations.size(),
      records.size(),
      untrusted > 0 ? fmt::format(" ({} untrusted)", untrusted) : "",
      worth_something,
      untrusted > 0 ? ", with --retry-failed where the machine is quieter now" : ""));
}

// None of which the model holds nothing else, as all of its runs were left out.
std::map<std::string, ProgramCpus> programs_of(std::span<const Record> records,
                                               const std::vector<Observation>& observations) {
  auto programs = program_cpus(records);
  std::erase_if(programs, [&](const auto& program) {
    return std::none_of(observations.begin(), observations.end(), [&](const Observation& seen) {
      return seen.record->workload.network == program.first;
    });
  });
  return programs;
}

// Of what the runs decoded; 0 where they decoded none.
double picture_bytes_of(const std::vector<Observation>& observations) {
  std::vector<double> sizes;
  for (const auto& seen : observations) {
    const double bytes = bytes_per_item(seen.setting);
    if (bytes > 0 && holds_encoded_pictures(seen.setting.workload.data)) {
      sizes.push_back(bytes);
    }
  }
  if (sizes.empty()) {
    return 0;
  }
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
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
  summary.model.picture_bytes = picture_bytes_of(observations);
  summary.model.programs = programs_of(records, observations);
  std::vector<const Observation*> all;
  for (const auto& seen : observations) {
    all.push_back(&seen);
  }
  const auto cold = cold_observations_of(observations);
  for (const auto& seen : cold) {
    all.push_back(&seen);
  }
  const auto solution = fit_parameters(summary.model, all);
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
  widen_scattered_programs(observations, summary);
  describe_evidence(summary.model, observations);
  summary.model.gpu_rates = gpu_rates_of(records, summary.warnings);
  add_fit_warnings(observations, summary);
  keep_priors_unstretched(summary.model);
  return summary;
}

}  // namespace rightsize
