#include "models/adaptive.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include <Eigen/Core>

#include "models/fit.h"
#include "models/predict.h"
#include "models/priors.h"

namespace rightsize {
namespace {

constexpr double log_step = 0.02;  // finite-difference step in ln(parameter)

// d ln(rate) / d ln(parameter), for every parameter of the model.
Eigen::VectorXd gradient_of(const Model& model, const Setting& setting) {
  const auto values = values_of(model);
  const double here = predicted_items_per_s(laws_of(model, setting.workload, values), setting);
  Eigen::VectorXd gradient(static_cast<Eigen::Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto moved = values;
    moved[i] *= std::exp(log_step);
    const double there = predicted_items_per_s(laws_of(model, setting.workload, moved), setting);
    gradient[static_cast<Eigen::Index>(i)] = std::log(there / here) / log_step;
  }
  return gradient;
}

// One column per run; a run whose laws the model lacks has a column of zeros and nothing to say.
struct Gradients {
  Eigen::MatrixXd columns;
  std::vector<bool> known;
};

Gradients gradients_of(const Model& model, std::span<const PossibleRun> runs) {
  const auto parameters = static_cast<Eigen::Index>(model.parameters.size());
  Gradients all{Eigen::MatrixXd::Zero(parameters, static_cast<Eigen::Index>(runs.size())), {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    try {
      all.columns.col(static_cast<Eigen::Index>(i)) = gradient_of(model, runs[i].setting);
      all.known.push_back(true);
    } catch (const ModelError&) {
      all.known.push_back(false);
    }
  }
  return all;
}

// What a setting grants, as far as limits go; 0 limits nothing, so it is the most there is.
using Resources = std::array<double, 5>;

Resources resources_of(const Setting& setting) {
  const auto granted = [](double value) {
    return value > 0 ? value : std::numeric_limits<double>::infinity();
  };
  return {setting.cpus,
          granted(static_cast<double>(setting.memory_bytes)),
          granted(setting.disk.bytes_per_s),
          granted(setting.disk.iops),
          granted(setting.accelerator_items_per_s)};
}

bool at_least(const Resources& a, const Resources& b) {
  return std::equal(a.begin(), a.end(), b.begin(), std::greater_equal<>());
}

// The group's run that grants the most, then one that takes most of resource 0 away and as little
// as it can of the others, then resource 1, ...
std::vector<std::size_t> corners_of(std::span<const PossibleRun> runs,
                                    const std::vector<std::size_t>& group) {
  auto most = group.front();
  for (const auto i : group) {
    if (at_least(resources_of(runs[i].setting), resources_of(runs[most].setting))) {
      most = i;
    }
  }
  std::vector<std::size_t> corners{most};
  const auto full = resources_of(runs[most].setting);
  for (std::size_t axis = 0; axis < full.size(); ++axis) {
    auto scarcest = most;
    for (const auto i : group) {
      auto other = resources_of(runs[i].setting);
      const double granted = other[axis];
      other[axis] = full[axis];
      if (other == full && granted < resources_of(runs[scarcest].setting)[axis]) {
        scarcest = i;
      }
    }
    if (scarcest != most) {
      corners.push_back(scarcest);
    }
  }
  return corners;
}

}  // namespace

std::vector<std::size_t> first_runs(std::span<const PossibleRun> runs, std::size_t count) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto& work = runs[i].setting.workload;
    groups[compute_key(work) + "|" + data_key(work)].push_back(i);
  }
  std::vector<std::vector<std::size_t>> corners;
  std::size_t longest = 0;
  for (const auto& [key, group] : groups) {
    corners.push_back(corners_of(runs, group));
    longest = std::max(longest, corners.back().size());
  }
  std::vector<std::size_t> chosen;
  for (std::size_t rank = 0; rank < longest; ++rank) {
    for (const auto& group : corners) {
      if (rank < group.size() && chosen.size() < count && !runs[group[rank]].done) {
        chosen.push_back(group[rank]);
      }
    }
  }
  return chosen;
}

std::optional<std::size_t> next_run(const Model& model, std::span<const PossibleRun> runs) {
  const auto gradients = gradients_of(model, runs);
  const auto size = static_cast<Eigen::Index>(model.covariance.size());
  const Eigen::Map<const Eigen::MatrixXd> covariance(model.covariance.values().data(), size, size);
  const Eigen::MatrixXd spread = covariance * gradients.columns;          // C g, by run
  const Eigen::MatrixXd shared = gradients.columns.transpose() * spread;  // g' C g
  const double now = shared.diagonal().sum();
  std::optional<std::size_t> best;
  double best_rate = -1;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    if (runs[i].done) {
      continue;
    }
    const double noise = model.noise * model.noise;
    // A workload that the model knows nothing of is the largest gap of all.
    const double drop = gradients.known[i]
                            ? shared.col(column).squaredNorm() / (noise + shared(column, column))
                            : std::max(now, 1.0);
    const double rate = drop / std::max(runs[i].seconds, 1e-9);
    if (rate > best_rate) {
      best_rate = rate;
      best = i;
    }
  }
  return best;
}

std::optional<std::size_t> AdaptivePlan::take(std::optional<std::size_t> index) {
  if (index) {
    runs_[*index].done = true;
  }
  return index;
}

std::optional<std::size_t> AdaptivePlan::next(std::span<const Record> records) {
  const auto usable = static_cast<std::size_t>(
      std::count_if(records.begin(), records.end(), [](const Record& r) { return is_usable(r); }));
  if (usable < options_.first_runs) {
    const auto begin = first_runs(runs_, 1);
    if (!begin.empty()) {
      return take(begin.front());
    }
  }
  Model model;
  try {
    model = fit(records).model;
  } catch (const ModelError&) {  // too few runs that can be believed: any more will help
    const auto open = std::find_if(runs_.begin(), runs_.end(), [](auto& run) { return !run.done; });
    return open == runs_.end() ? std::nullopt
                               : take(static_cast<std::size_t>(open - runs_.begin()));
  }
  for (auto& run : runs_) {  // what the processes hold is only known once they have run
    const auto seen = model.resident_bytes.find(data_key(run.setting.workload));
    if (seen != model.resident_bytes.end()) {
      run.setting.resident_bytes = static_cast<std::uint64_t>(seen->second);
    }
  }
  uncertainty_ = answer_uncertainty(model, runs_);
  if (content() && usable >= options_.least_runs) {
    return std::nullopt;
  }
  return take(next_run(model, runs_));
}

double answer_uncertainty(const Model& model, std::span<const PossibleRun> runs) {
  std::vector<double> widths;
  for (const auto& run : runs) {
    try {
      const auto prediction = Predictor(model, run.setting.workload).predict(run.setting);
      widths.push_back(std::sinh(normal_90 * prediction.log_sd));
    } catch (const ModelError&) {
      widths.push_back(std::numeric_limits<double>::infinity());
    }
  }
  return widths.empty() ? 0 : median_of(widths);
}

}  // namespace rightsize
