#include "models/predict.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/workload_parts.h"

namespace rightsize {
namespace {

constexpr double log_step = 0.02;  // finite-difference step in ln(parameter)

// Seconds per item of all host work, `data_s` of them for its data, when the CPUs do nothing else
// and never wait.
double host_seconds_per_item(const Laws& laws, const Setting& setting, double data_s) {
  const double capacity = cpu_capacity(laws.scaling, setting.cpus);
  double seconds =
      (data_s - laws.serial_cpu_s) / capacity + laws.serial_cpu_s / std::min(1.0, capacity);
  if (setting.accelerator_items_per_s <= 0 && setting.workload.phase != Phase::preprocess) {
    seconds +=
        laws.compute.per_item_s / capacity + laws.compute.fixed_s / setting.workload.batch /
                                                 cpu_capacity(laws.fixed_scaling, setting.cpus);
  }
  return seconds / setting.cpu_speed;
}

double predicted_with(const Laws& laws, const Setting& setting, double miss) {
  return composed_items_per_s(bounds_of(laws, setting, miss), laws.sharpness);
}

}  // namespace

double preprocessed_bytes(DataFormat output, double read_bytes) {
  return output == DataFormat::lmdb ? 3.0 * 256 * 256 : read_bytes;
}

double bytes_per_item(const Setting& setting) {
  return setting.dataset_items > 0 ? static_cast<double>(setting.dataset_bytes) /
                                         static_cast<double>(setting.dataset_items)
                                   : 0.0;
}

double written_bytes_per_item(const Setting& setting) {
  return setting.workload.phase == Phase::preprocess
             ? preprocessed_bytes(setting.workload.output, bytes_per_item(setting))
             : 0;
}

DiskSpeed effective_disk(const Laws& laws, const Setting& setting) {
  DiskSpeed disk = setting.disk;
  if (disk.bytes_per_s <= 0) {
    disk.bytes_per_s = laws.native_disk.bytes_per_s / laws.disk.efficiency;
  }
  return disk;
}

DiskSpeed unqueued_disk(const Laws& laws, const Setting& setting) {
  DiskSpeed disk = effective_disk(laws, setting);
  disk.bytes_per_s = std::max(disk.bytes_per_s, laws.native_disk.bytes_per_s);
  disk.iops = 0;
  return disk;
}

namespace {

double decode_cpu_seconds(const Laws& laws, double bytes) {
  const double size = bytes > 0 && laws.picture_bytes > 0 ? bytes / laws.picture_bytes : 1;
  return std::max(laws.serial_cpu_s, laws.data_cpu_s * (crop_share + (1 - crop_share) * size));
}

}  // namespace

double decode_cpu_seconds(const Laws& laws, const Setting& setting) {
  return decode_cpu_seconds(laws, bytes_per_item(setting));
}

double data_cpu_seconds(const Laws& laws, const Setting& setting, double miss) {
  const double bytes = bytes_per_item(setting);
  return decode_cpu_seconds(laws, bytes) +
         laws.read_cpu_s_per_byte * miss * laws.disk.amplification * bytes;
}

double predicted_hit_ratio(const Laws& laws, const Setting& setting) {
  if (setting.dataset_bytes == 0) {
    return 1.0;
  }
  const double available = setting.memory_bytes > setting.resident_bytes
                               ? static_cast<double>(setting.memory_bytes - setting.resident_bytes)
                               : 0.0;
  return page_cache_hit_ratio(
      laws.cache, available / static_cast<double>(setting.dataset_bytes), setting.workload.shuffle);
}

Bounds bounds_of(const Laws& laws, const Setting& setting, double miss) {
  Bounds bounds = unlimited();
  const bool reads = has_data_path(setting.workload);
  const double miss_ratio = !reads      ? 0.0
                            : miss >= 0 ? miss
                                        : 1.0 - predicted_hit_ratio(laws, setting);
  const double data_s = data_cpu_seconds(laws, setting, miss_ratio);
  const double host_s = host_seconds_per_item(laws, setting, data_s);
  if (host_s > 0) {
    bounds[Bound::cpu] = 1.0 / host_s;
  }
  if (setting.accelerator_items_per_s > 0) {
    const double copy_s = setting.copy_before_step ? laws.copy_s : 0.0;
    bounds[Bound::accelerator] = 1.0 / (1.0 / setting.accelerator_items_per_s + copy_s);
  }
  if (setting.copy_items_per_s > 0) {
    bounds[Bound::copy] = setting.copy_items_per_s;
  }
  if (!reads) {
    return bounds;
  }
  const DiskSpeed disk = effective_disk(laws, setting);
  const double bytes = bytes_per_item(setting);
  double disk_s = 1.0 / disk_items_per_s(disk, laws.disk, bytes, miss_ratio);
  const double written = written_bytes_per_item(setting);
  if (written > 0 && setting.disk_write_bytes_per_s > 0) {
    disk_s += written / (setting.disk_write_bytes_per_s * laws.disk.efficiency);
  }
  bounds[Bound::disk] = disk_s > 0 ? 1.0 / disk_s : std::numeric_limits<double>::infinity();
  // Each loader thread reads, then decodes: its own cycle bounds it even when no resource is full.
  const double cycle_s =
      disk_seconds_per_item(unqueued_disk(laws, setting), laws.disk, bytes, miss_ratio) +
      data_s / setting.cpu_speed;
  if (cycle_s > 0 && setting.loader_threads > 0) {
    bounds[Bound::loader] = setting.loader_threads / cycle_s;
  }
  return bounds;
}

double cpu_share(const Laws& laws,
                 const Setting& setting,
                 const Bounds& bounds,
                 double items_per_s) {
  const double host = std::min(bounds[Bound::cpu], bounds[Bound::loader]);
  if (std::isinf(host)) {
    return 0;
  }
  const double share = std::pow(items_per_s / host, laws.sharpness);
  if (bounds[Bound::cpu] <= bounds[Bound::loader]) {
    return share;
  }
  const double cycle_s = setting.loader_threads / bounds[Bound::loader];
  const double decode_s = data_cpu_seconds(laws, setting, 1 - predicted_hit_ratio(laws, setting));
  return share * std::min(1.0, decode_s / setting.cpu_speed / cycle_s);
}

double predicted_items_per_s(const Laws& laws, const Setting& setting) {
  return predicted_with(laws, setting, -1);
}

Prediction of_nodes(Prediction one, int nodes) {
  one.items_per_s *= nodes;
  one.cold_items_per_s *= nodes;
  one.least_items_per_s *= nodes;
  one.most_items_per_s *= nodes;
  for (auto& bound : one.bounds.items_per_s) {
    bound *= nodes;
  }
  return one;
}

Predictor::Predictor(const Model& model, const Workload& workload)
    : laws_(laws_of(model, workload)),
      noise_(model.noise),
      cpu_noise_(model.cpu_noise),
      least_hits_(model.least_hits),
      most_hits_(model.most_hits),
      interval_factor_(model.interval_factor),
      confidence_(model.confidence) {
  const auto values = values_of(model);
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
    moved_.push_back(laws_of(model, workload, moved));
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
template <typename Scale>
double moved_by(
    const Laws& laws, const Setting& setting, double items_per_s, double sd, Scale scale) {
  if (sd <= 0) {
    return 0;
  }
  const auto at = [&](double deviations) {
    Setting moved = setting;
    scale(moved, std::exp(deviations * sd));
    return std::log(predicted_items_per_s(laws, moved) / items_per_s) / deviations;
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
double Predictor::fitted_sd(const Setting& setting, double items_per_s, double noise_sd) const {
  const auto bounds = bounds_of(laws_, setting);
  const auto shares = bound_shares(bounds, items_per_s, laws_.sharpness);
  std::vector<double> gradient;
  gradient.reserve(moved_.size());
  for (const auto& moved : moved_) {
    // Of the sharpness itself the bounds say nothing.
    const double by = moved.sharpness == laws_.sharpness
                          ? moved_by(shares, bounds, bounds_of(moved, setting))
                          : std::log(predicted_items_per_s(moved, setting) / items_per_s);
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
  const double there = predicted_items_per_s(laws_, seen);
  const double sd = std::hypot(fitted_sd(seen, there, prediction.noise_sd), others);
  const double spread = std::exp(normal_90 * sd);
  prediction.least_items_per_s = there / spread;
  prediction.most_items_per_s = there * setting.cpus / seen.cpus * spread;
}

Prediction Predictor::predict(const Setting& setting, const SettingUncertainty& uncertainty) const {
  Prediction prediction;
  prediction.hit_ratio =
      has_data_path(setting.workload) ? predicted_hit_ratio(laws_, setting) : 1.0;
  prediction.bounds = bounds_of(laws_, setting);
  prediction.items_per_s = composed_items_per_s(prediction.bounds, laws_.sharpness);
  prediction.cold_items_per_s = predicted_with(laws_, setting, 1.0);
  prediction.limited_by = bottleneck(prediction.bounds);
  prediction.busy = utilisation(prediction.bounds, prediction.items_per_s);
  // A program that uses no more leaves the others idle, however slow it is.
  prediction.busy[static_cast<std::size_t>(Bound::cpu)] *=
      std::min(1.0, laws_.scaling.most_used / setting.cpus);

  const double cpu = cpu_share(laws_, setting, prediction.bounds, prediction.items_per_s);
  prediction.noise_sd = std::hypot(noise_, cpu_noise_ * cpu);
  const double fitted = fitted_sd(setting, prediction.items_per_s, prediction.noise_sd);
  prediction.model_sd = std::hypot(fitted, unmeasured_sd(setting, prediction.hit_ratio, cpu));
  const auto part = [&](double sd, auto scale) {
    return moved_by(laws_, setting, prediction.items_per_s, sd, scale);
  };
  prediction.accelerator_sd = part(uncertainty.accelerator, [](Setting& s, double factor) {
    s.accelerator_items_per_s *= factor;
  });
  prediction.cpu_speed_sd =
      part(uncertainty.cpu_speed, [](Setting& s, double factor) { s.cpu_speed *= factor; });
  prediction.disk_sd = part(uncertainty.disk, [](Setting& s, double factor) {
    s.disk.bytes_per_s *= factor;
    s.disk.iops *= factor;
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
