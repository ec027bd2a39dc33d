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

// Of 90 % intervals: what is known no better is asked for at both ends, beside whose rates a slope
// says little. Of a constant that was fitted with others the others make up for what it moves.
constexpr double badly_known = 0.15;

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
    const auto moved_by = [&](double step) {
      auto moved = values;
      moved[i] *= std::exp(step);
      const auto laws = reader.at(moved);
      return Moved{laws, difference(laws_, laws), step};
    };
    relevant_.push_back(i);
    const double end = interval_factor_ * std::sqrt(model.covariance(i, i));
    if (end > badly_known && model.covariance.is_independent(i)) {
      constants_.push_back({moved_by(end), moved_by(-end)});
    } else {
      constants_.push_back({moved_by(log_step), std::nullopt});
    }
  }
  covariance_ = Covariance(relevant_.size());
  for (std::size_t row = 0; row < relevant_.size(); ++row) {
    for (std::size_t column = 0; column < relevant_.size(); ++column) {
      covariance_(row, column) = model.covariance(relevant_[row], relevant_[column]);
    }
  }
}

namespace {

// `down` and `up`: what less and more of the input move ln(rate) by, each over how far it is moved.
RateMove farther(double down, double up) {
  return {std::abs(down) > std::abs(up) ? down : up, std::max({0.0, -down, up})};
}

// What an input that is known up to `sd`, a logarithm, moves ln(rate) by, per standard deviation.
// Near a tie of two resources the slope at the estimate knows one of them only: the rate is asked
// for at both ends of the input's interval. The farther one counts, and for what may turn out
// faster the one that is.
template <typename Scaled>
RateMove moved_by(
    const Bounds& bounds, double sharpness, double items_per_s, double sd, Scaled scaled) {
  if (sd <= 0) {
    return {};
  }
  const auto at = [&](double deviations) {
    const Bounds moved = scaled(std::exp(deviations * sd));
    return moved.items_per_s == bounds.items_per_s  // as of a disk that nothing comes from
               ? 0.0
               : std::log(composed_items_per_s(moved, sharpness) / items_per_s) / deviations;
  };
  return farther(at(-normal_90), at(normal_90));
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
RateMove Predictor::fitted_move(const SettingBounds& at,
                                double items_per_s,
                                double noise_sd) const {
  const auto shares = bound_shares(at.bounds(), items_per_s, laws_.sharpness);
  const auto slope = [&](const Moved& constant) {
    const auto& laws = constant.laws;
    const Bounds moved = at.under(laws, constant.differs);
    // Of the sharpness itself the bounds say nothing, and of far ends no shares.
    const bool linear = constant.by == log_step && laws.sharpness == laws_.sharpness;
    return (linear ? moved_by(shares, at.bounds(), moved)
                   : std::log(composed_items_per_s(moved, laws.sharpness) / items_per_s)) /
           constant.by;
  };
  std::vector<double> gradient;
  std::vector<double> faster;
  gradient.reserve(constants_.size());
  faster.reserve(constants_.size());
  for (const auto& [up, down] : constants_) {
    const double above = slope(up);
    const auto move = down ? farther(slope(*down), above) : RateMove{above, above};
    gradient.push_back(move.sd);
    faster.push_back(move.faster_sd);
  }
  const auto with_noise = [&](const std::vector<double>& slopes) {
    return interval_factor_ / normal_90 *
           std::hypot(noise_sd, std::sqrt(covariance_.variance_of(slopes)));
  };
  return {with_noise(gradient), with_noise(faster)};
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
  const double sd = std::hypot(fitted_move(at, there, prediction.noise_sd).sd, others);
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
  const auto fitted = fitted_move(at, prediction.items_per_s, prediction.noise_sd);
  const double unmeasured = unmeasured_sd(setting, prediction.hit_ratio, cpu);
  prediction.model_sd = std::hypot(fitted.sd, unmeasured);
  const auto part = [&](double sd, auto scaled) {
    return moved_by(at.bounds(), laws_.sharpness, prediction.items_per_s, sd, scaled);
  };
  const auto accelerator = part(uncertainty.accelerator, [&](double factor) {
    return at.with_accelerator(setting.accelerator_items_per_s * factor);
  });
  const auto cpu_speed = part(uncertainty.cpu_speed, [&](double factor) {
    return at.with_cpu_speed(setting.cpu_speed * factor);
  });
  const auto disk = part(uncertainty.disk, [&](double factor) {
    auto scaled = setting.disk;
    scaled.bytes_per_s *= factor;
    scaled.iops *= factor;
    return at.with_disk(scaled);
  });
  prediction.accelerator_sd = accelerator.sd;
  prediction.cpu_speed_sd = cpu_speed.sd;
  prediction.disk_sd = disk.sd;
  const double others = std::hypot(accelerator.sd, cpu_speed.sd, disk.sd);
  prediction.log_sd = std::hypot(prediction.model_sd, others);
  const double faster_sd =
      std::hypot(std::hypot(fitted.faster_sd, unmeasured),
                 std::hypot(accelerator.faster_sd, cpu_speed.faster_sd, disk.faster_sd));
  prediction.faster = prediction.log_sd > 0 ? std::min(1.0, faster_sd / prediction.log_sd) : 1;
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
