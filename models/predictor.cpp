// A rate with its uncertainty: from the constants that were fitted, the noise of runs and what is
// known of a machine.
#include <algorithm>
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
RateMove moved_by(const Bounds& bounds,
                  double sharpness,
                  double items_per_s,
                  double sd,
                  SlowSide& slow,
                  Scaled scaled) {
  if (sd <= 0) {
    return {};
  }
  const auto over = [&](const Bounds& moved, double deviations) {
    return moved.items_per_s == bounds.items_per_s  // as of a disk that nothing comes from
               ? 0.0
               : std::log(composed_items_per_s(moved, sharpness) / items_per_s) / deviations;
  };
  const Bounds slower = scaled(std::exp(-normal_90 * sd));
  slow.add(slower, normal_90);
  return farther(over(slower, -normal_90), over(scaled(std::exp(normal_90 * sd)), normal_90));
}

}  // namespace

// What is added outside the range of the runs: beyond what the page cache held in them. From a
// cache that held half to one that holds all, the law was some 3 % off (grids of a Zen 4 and an
// Emerald Rapids; 4 % on a Granite Rapids).
double Predictor::unmeasured_sd(const Setting& setting, double hit_ratio) const {
  constexpr double of_hits = 0.06;
  const double outside = std::max({0.0, least_hits_ - hit_ratio, hit_ratio - most_hits_});
  return has_data_path(setting.workload) ? of_hits * outside : 0.0;
}

namespace {

// d ln(bound) / d ln(constant) of each resource, of the `constant`-th, and the rate's.
struct Slopes {
  std::size_t constant = 0;
  ResourceBounds of{};
  double of_rate = 0;
};

// `shares`: by how much of a change of each resource the rate changes.
Slopes slopes_of(std::size_t constant,
                 const ResourceBounds& now,
                 const ResourceBounds& shares,
                 const Bounds& moved,
                 double by) {
  const auto then = resources_of(moved);
  Slopes slopes{constant};
  for (std::size_t r = 0; r < resource_count; ++r) {
    slopes.of[r] = now[r] == then[r] ? 0 : std::log(then[r] / now[r]) / by;
    slopes.of_rate += shares[r] * slopes.of[r];
  }
  return slopes;
}

// Variances of ln(bound) of each resource, and of ln(rate).
struct Variances {
  ResourceBounds of{};
  double of_rate = 0;
};

Variances variances_of(const std::vector<Slopes>& slopes, const Covariance& covariance) {
  Variances sum;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const auto& a = slopes[i];
      const auto& b = slopes[j];
      const double both = (i == j ? 1 : 2) * covariance(a.constant, b.constant);
      for (std::size_t r = 0; r < resource_count; ++r) {
        sum.of[r] += both * a.of[r] * b.of[r];
      }
      sum.of_rate += both * a.of_rate * b.of_rate;
    }
  }
  return sum;
}

// By how much of a change of each the rate changes (bound_shares).
ResourceBounds shares_of(const Bounds& bounds, double items_per_s, double sharpness) {
  const auto shares = bound_shares(bounds, items_per_s, sharpness);
  const auto of = [&](Bound bound) { return shares[static_cast<std::size_t>(bound)]; };
  return {
      of(Bound::disk), of(Bound::cpu) + of(Bound::loader), of(Bound::copy), of(Bound::accelerator)};
}

// Each resource by so many of its own logarithms.
Bounds slowed(Bounds bounds, const ResourceBounds& logs) {
  constexpr std::array<std::size_t, bound_count> resource_of{0, 1, 1, 2, 3};  // of each bound
  for (std::size_t i = 0; i < bound_count; ++i) {
    const double log = logs[resource_of[i]];
    bounds.items_per_s[i] *= log > 0 ? std::exp(-log) : 1;
  }
  return bounds;
}

}  // namespace

// As far as the rate hangs on each. The ends of a constant's interval are normal_90 of its standard
// deviations away, the conformal factor in them; of those that are well known the bounds' slopes
// do.
Predictor::FittedMoves Predictor::fitted_moves(const SettingBounds& at,
                                               double items_per_s,
                                               double noise_sd,
                                               SlowSide& slow) const {
  const double stretch = interval_factor_ / normal_90;
  const auto now = resources_of(at.bounds());
  const auto shares = shares_of(at.bounds(), items_per_s, laws_.sharpness);
  const auto slope = [&](const Moved& constant, const Bounds& moved) {
    return std::log(composed_items_per_s(moved, constant.laws.sharpness) / items_per_s) /
           constant.by;
  };
  FittedMoves moves{stretch * noise_sd, {}};
  std::vector<Slopes> slopes;
  slopes.reserve(constants_.size());
  for (std::size_t i = 0; i < constants_.size(); ++i) {
    const auto& [up, down] = constants_[i];
    const Bounds above = at.under(up.laws, up.differs);
    const double sd = stretch * std::sqrt(covariance_(i, i));
    if (up.laws.sharpness != laws_.sharpness) {  // which bounds say nothing of
      const double upward = slope(up, above);
      const double move = down ? farther(slope(*down, above), upward).sd : upward;
      moves.noise_sd = std::hypot(moves.noise_sd, sd * move);
    } else if (down) {
      const Bounds below = at.under(down->laws, down->differs);
      const auto move = farther(slope(*down, below), slope(up, above));
      slow.add(move.sd < 0 ? above : below, normal_90);
      moves.constants.sd = std::hypot(moves.constants.sd, sd * move.sd);
      moves.constants.faster_sd = std::hypot(moves.constants.faster_sd, sd * move.faster_sd);
    } else {
      slopes.push_back(slopes_of(i, now, shares, above, up.by));
    }
  }
  const auto variances = variances_of(slopes, covariance_);
  ResourceBounds sds{};
  std::transform(variances.of.begin(), variances.of.end(), sds.begin(), [&](double variance) {
    return stretch * std::sqrt(std::max(0.0, variance));
  });
  slow.add(slowed(at.bounds(), sds), 1);
  const double of_rate = stretch * std::sqrt(std::max(0.0, variances.of_rate));
  moves.constants.sd = std::hypot(moves.constants.sd, of_rate);
  moves.constants.faster_sd = std::hypot(moves.constants.faster_sd, of_rate);
  return moves;
}

// On more vCPUs than a program was seen with: between what it did with those, and that without any
// loss from there on.
void Predictor::bound_unseen(const Setting& setting, Prediction& prediction) const {
  if (!is_unseen(laws_.scaling, setting.cpus)) {
    return;
  }
  Setting seen = setting;
  seen.cpus = laws_.scaling.seen_cpus;
  const SettingBounds at(laws_, seen);
  const double there = composed_items_per_s(at.bounds(), laws_.sharpness);
  SlowSide slow(at.bounds(), there, laws_.sharpness);
  const auto fitted = fitted_moves(at, there, prediction.noise_sd, slow);
  const double others =  // what the machine's speeds move the rate by
      std::hypot(prediction.accelerator_sd, prediction.cpu_speed_sd, prediction.disk_sd);
  const double spread =
      std::exp(normal_90 * std::hypot(fitted.noise_sd, fitted.constants.sd, others));
  prediction.least_items_per_s = there / spread;
  prediction.most_items_per_s = there * setting.cpus / seen.cpus * spread;
}

// Of the parts that are slower near a tie each is taken for what it moves by itself, and all of
// them for what they come to together.
void Predictor::add_errors(const SettingBounds& at,
                           const Setting& setting,
                           const SettingUncertainty& uncertainty,
                           Prediction& prediction) const {
  const double rate = prediction.items_per_s;
  const double cpu = cpu_share(laws_, setting, prediction.bounds, rate);
  prediction.noise_sd = std::hypot(noise_, cpu_noise_ * cpu);
  SlowSide slow(at.bounds(), rate, laws_.sharpness);
  const auto fitted = fitted_moves(at, rate, noise_, slow);
  const auto part = [&](double sd, auto scaled) {
    return moved_by(at.bounds(), laws_.sharpness, rate, sd, slow, scaled);
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
  // What runs that the CPUs limit scatter, and the law beyond their vCPUs: of the CPUs alone.
  const double of_cpus = std::hypot(interval_factor_ / normal_90 * cpu_noise_,
                                    unmeasured_log_sd(laws_.scaling, setting.cpus));
  const auto cpus =
      part(of_cpus, [&](double factor) { return at.with_cpu_speed(setting.cpu_speed * factor); });
  const double unmeasured = unmeasured_sd(setting, prediction.hit_ratio);
  const double of_model = std::hypot(fitted.constants.sd, cpus.sd);
  const double of_machine = std::hypot(accelerator.sd, cpu_speed.sd, disk.sd);
  const double apart = std::hypot(of_model, of_machine);
  const double together = apart > 0 ? slow.log_sd() / apart : 1;
  prediction.accelerator_sd = together * accelerator.sd;
  prediction.cpu_speed_sd = together * cpu_speed.sd;
  prediction.disk_sd = together * disk.sd;
  prediction.model_sd = std::hypot(fitted.noise_sd, unmeasured, together * of_model);
  prediction.log_sd = std::hypot(prediction.model_sd, together * of_machine);
  const double faster_sd =
      std::hypot(std::hypot(fitted.noise_sd, unmeasured),
                 std::hypot(fitted.constants.faster_sd, cpus.faster_sd),
                 std::hypot(accelerator.faster_sd, cpu_speed.faster_sd, disk.faster_sd));
  prediction.faster = prediction.log_sd > 0 ? std::min(1.0, faster_sd / prediction.log_sd) : 1;
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
  add_errors(at, setting, uncertainty, prediction);
  bound_unseen(setting, prediction);
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
