// A rate with its uncertainty: from the constants that were fitted, the noise of runs and what is
// known of a machine.
#include <array>
#include <cmath>
#include <vector>

#include "models/law_reader.h"
#include "models/predict.h"
#include "models/workload_parts.h"

namespace rightsize {
namespace {

constexpr double log_step = 0.02;  // finite-difference step in ln(parameter)

}  // namespace

Predictor::Predictor(const Model& model, const Workload& workload)
    : noise_(model.noise),
      cpu_noise_(model.cpu_noise),
      least_hits_(model.least_hits),
      most_hits_(model.most_hits),
      interval_factor_(model.interval_factor),
      confidence_(model.confidence) {
  const LawReader reader(model, workload);
  const auto values = values_of(model);
  laws_ = reader.at(values);
  const auto key = compute_key(workload);
  const auto data = data_key(workload);
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const auto& name = model.parameters[i].name;
    const auto slash = name.find('/');
    const bool shared = slash == std::string::npos;
    if (!shared && name.substr(slash + 1) != key && name.substr(slash + 1) != data) {
      continue;
    }
    auto moved = values;
    moved[i] *= std::exp(log_step);
    relevant_.push_back(i);
    const auto laws = reader.at(moved);
    moved_.push_back({laws, difference(laws_, laws)});
  }
  covariance_ = Covariance(relevant_.size());
  for (std::size_t row = 0; row < relevant_.size(); ++row) {
    for (std::size_t column = 0; column < relevant_.size(); ++column) {
      covariance_(row, column) = model.covariance(relevant_[row], relevant_[column]);
    }
  }
}

namespace {

// What an input that is known up to `sd`, a logarithm, moves the rate by, per standard deviation.
// Near a tie of two resources the slope at the estimate knows one of them only: the rate is asked
// for at both ends of the input's interval, and the farther one counts.
template <typename Scaled>
double moved_by(
    const Bounds& bounds, double sharpness, double items_per_s, double sd, Scaled scaled) {
  if (sd <= 0) {
    return 0;
  }
  const auto at = [&](double deviations) {
    const Bounds moved = scaled(std::exp(deviations * sd));
    return moved.items_per_s == bounds.items_per_s  // as of a disk that nothing comes from
               ? 0.0
               : std::log(composed_items_per_s(moved, sharpness) / items_per_s) / deviations;
  };
  const double down = at(-normal_90);
  const double up = at(normal_90);
  return std::abs(down) > std::abs(up) ? down : up;
}

}  // namespace

// What is added outside the range of the runs: beyond their vCPUs, where the CPUs count, and beyond
// what the page cache held in them. From a cache that held half to one that holds all, the law was
// some 3 % off (grids of a Zen 4 and an Emerald Rapids; 4 % on a Granite Rapids).
double Predictor::unmeasured_sd(const Setting& setting, double hit_ratio, double cpu_share) const {
  constexpr double of_hits = 0.06;
  const double cpus =
      cpu_share > 0 ? cpu_share * unmeasured_log_sd(laws_.scaling, setting.cpus) : 0;
  const double outside = std::max({0.0, least_hits_ - hit_ratio, hit_ratio - most_hits_});
  return std::hypot(cpus, has_data_path(setting.workload) ? of_hits * outside : 0.0);
}

namespace {

// What other bounds move ln(rate) by, to the first order: a bound counts by its share of the rate
// (bound_shares).
double moved_by(const std::array<double, bound_count>& shares,
                const Bounds& bounds,
                const Bounds& moved) {
  double sum = 0;
  for (std::size_t i = 0; i < bound_count; ++i) {
    const double now = bounds.items_per_s[i];
    const double then = moved.items_per_s[i];
    if (shares[i] > 0 && now != then) {
      sum += shares[i] * std::log(then / now);
    }
  }
  return sum;
}

}  // namespace

// Of the noise and of the constants, as far as the rate hangs on each.
double Predictor::fitted_sd(const SettingBounds& at, double items_per_s, double noise_sd) const {
  const auto shares = bound_shares(at.bounds(), items_per_s, laws_.sharpness);
  std::vector<double> gradient;
  gradient.reserve(moved_.size());
  for (const auto& [laws, differs] : moved_) {
    const Bounds moved = at.under(laws, differs);
    // Of the sharpness itself the bounds say nothing.
    const double by = laws.sharpness == laws_.sharpness
                          ? moved_by(shares, at.bounds(), moved)
                          : std::log(composed_items_per_s(moved, laws.sharpness) / items_per_s);
    gradient.push_back(by / log_step);
  }
  return interval_factor_ / normal_90 *
         std::hypot(noise_sd, std::sqrt(covariance_.variance_of(gradient)));
}

// On more vCPUs than a program was seen with: between what it did with those, and that without any
// loss from there on. `others`: what the machine's speeds move the rate by.
void Predictor::bound_unseen(const Setting& setting, double others, Prediction& prediction) const {
  if (!is_unseen(laws_.scaling, setting.cpus)) {
    return;
  }
  Setting seen = setting;
  seen.cpus = laws_.scaling.seen_cpus;
  const SettingBounds at(laws_, seen);
  const double there = composed_items_per_s(at.bounds(), laws_.sharpness);
  const double sd = std::hypot(fitted_sd(at, there, prediction.noise_sd), others);
  const double spread = std::exp(normal_90 * sd);
  prediction.least_items_per_s = there / spread;
  prediction.most_items_per_s = there * setting.cpus / seen.cpus * spread;
}

Prediction Predictor::predict(const Setting& setting, const SettingUncertainty& uncertainty) const {
  const SettingBounds at(laws_, setting);
  Prediction prediction;
  prediction.hit_ratio =
      has_data_path(setting.workload) ? predicted_hit_ratio(laws_, setting) : 1.0;
  prediction.bounds = at.bounds();
  prediction.items_per_s = composed_items_per_s(prediction.bounds, laws_.sharpness);
  prediction.cold_items_per_s = composed_items_per_s(at.with_miss(1), laws_.sharpness);
  prediction.limited_by = bottleneck(prediction.bounds);
  prediction.busy = utilisation(prediction.bounds, prediction.items_per_s);
  // A program that uses no more leaves the others idle, however slow it is.
  prediction.busy[static_cast<std::size_t>(Bound::cpu)] *=
      std::min(1.0, laws_.scaling.most_used / setting.cpus);

  const double cpu = cpu_share(laws_, setting, prediction.bounds, prediction.items_per_s);
  prediction.noise_sd = std::hypot(noise_, cpu_noise_ * cpu);
  const double fitted = fitted_sd(at, prediction.items_per_s, prediction.noise_sd);
  prediction.model_sd = std::hypot(fitted, unmeasured_sd(setting, prediction.hit_ratio, cpu));
  const auto part = [&](double sd, auto scaled) {
    return moved_by(at.bounds(), laws_.sharpness, prediction.items_per_s, sd, scaled);
  };
  prediction.accelerator_sd = part(uncertainty.accelerator, [&](double factor) {
    return at.with_accelerator(setting.accelerator_items_per_s * factor);
  });
  prediction.cpu_speed_sd = part(uncertainty.cpu_speed, [&](double factor) {
    return at.with_cpu_speed(setting.cpu_speed * factor);
  });
  prediction.disk_sd = part(uncertainty.disk, [&](double factor) {
    auto disk = setting.disk;
    disk.bytes_per_s *= factor;
    disk.iops *= factor;
    return at.with_disk(disk);
  });
  const double others =
      std::hypot(prediction.accelerator_sd, prediction.cpu_speed_sd, prediction.disk_sd);
  prediction.log_sd = std::hypot(prediction.model_sd, others);
  bound_unseen(setting, others, prediction);
  return prediction;
}

Estimate Predictor::estimate(const Prediction& prediction, Source source) const {
  const double spread = std::exp(normal_90 * prediction.log_sd);
  return {prediction.items_per_s,
          low_items_per_s(prediction, spread),
          high_items_per_s(prediction, spread),
          confidence_,
          "items/s",
          source};
}

}  // namespace rightsize
