#include "models/setting_bounds.h"

#include <algorithm>
#include <limits>

#include "models/predict.h"
#include "models/workload_parts.h"

namespace rightsize {

LawDifference difference(const Laws& a, const Laws& b) {
  LawDifference differs;
  differs.cache = a.cache != b.cache;
  differs.scaling = a.scaling != b.scaling;
  differs.fixed_scaling = a.fixed_scaling != b.fixed_scaling;
  differs.compute = a.compute != b.compute;
  differs.data = a.data_cpu_s != b.data_cpu_s || a.picture_bytes != b.picture_bytes ||
                 a.serial_cpu_s != b.serial_cpu_s ||
                 a.read_cpu_s_per_byte != b.read_cpu_s_per_byte ||
                 a.disk.amplification != b.disk.amplification;
  differs.copy = a.copy_s != b.copy_s;
  differs.disk = a.disk != b.disk || a.native_disk != b.native_disk;
  return differs;
}

SettingBounds::SettingBounds(const Laws& laws, const Setting& setting, double miss)
    : laws_(laws),
      setting_(setting),
      reads_(has_data_path(setting.workload)),
      computes_(setting.accelerator_items_per_s <= 0 &&
                setting.workload.phase != Phase::preprocess),
      item_bytes_(bytes_per_item(setting)),
      asked_miss_(miss),
      bounds_(unlimited()) {
  parts_.miss = miss_under(laws);
  parts_.data_s = data_cpu_seconds(laws, item_bytes_, parts_.miss);
  parts_.capacity = cpu_capacity(laws.scaling, setting.cpus);
  parts_.fixed_capacity = fixed_capacity_under(laws);
  bounds_[Bound::cpu] = cpu_bound(laws, parts_, setting.cpu_speed);
  bounds_[Bound::accelerator] = accelerator_bound(laws, setting.accelerator_items_per_s);
  if (setting.copy_items_per_s > 0) {
    bounds_[Bound::copy] = setting.copy_items_per_s;
  }
  if (reads_) {
    bounds_[Bound::disk] = disk_bound(laws, parts_.miss, setting.disk);
    bounds_[Bound::loader] = loader_bound(laws, parts_, setting.cpu_speed, setting.disk);
  }
}

Bounds SettingBounds::with_miss(double miss) const {
  Bounds bounds = bounds_;
  if (reads_ && miss != parts_.miss) {
    Parts parts = parts_;
    parts.miss = miss;
    parts.data_s = data_cpu_seconds(laws_, item_bytes_, miss);
    bounds[Bound::cpu] = cpu_bound(laws_, parts, setting_.cpu_speed);
    bounds[Bound::disk] = disk_bound(laws_, miss, setting_.disk);
    bounds[Bound::loader] = loader_bound(laws_, parts, setting_.cpu_speed, setting_.disk);
  }
  return bounds;
}

Bounds SettingBounds::with_accelerator(double items_per_s) const {
  Bounds bounds = bounds_;
  bounds[Bound::accelerator] = accelerator_bound(laws_, items_per_s);
  return bounds;
}

Bounds SettingBounds::with_cpu_speed(double cpu_speed) const {
  Bounds bounds = bounds_;
  bounds[Bound::cpu] = cpu_bound(laws_, parts_, cpu_speed);
  if (reads_) {
    bounds[Bound::loader] = loader_bound(laws_, parts_, cpu_speed, setting_.disk);
  }
  return bounds;
}

Bounds SettingBounds::with_disk(const DiskSpeed& disk) const {
  Bounds bounds = bounds_;
  if (reads_) {
    bounds[Bound::disk] = disk_bound(laws_, parts_.miss, disk);
    bounds[Bound::loader] = loader_bound(laws_, parts_, setting_.cpu_speed, disk);
  }
  return bounds;
}

Bounds SettingBounds::under(const Laws& laws, const LawDifference& differs) const {
  Bounds bounds = bounds_;
  Parts parts = parts_;
  if (differs.cache) {
    parts.miss = miss_under(laws);
  }
  const bool other_miss = parts.miss != parts_.miss;
  if (differs.data || other_miss) {
    parts.data_s = data_cpu_seconds(laws, item_bytes_, parts.miss);
  }
  if (differs.scaling) {
    parts.capacity = cpu_capacity(laws.scaling, setting_.cpus);
  }
  if (differs.fixed_scaling) {
    parts.fixed_capacity = fixed_capacity_under(laws);
  }
  if (differs.data || other_miss || differs.scaling || differs.fixed_scaling || differs.compute) {
    bounds[Bound::cpu] = cpu_bound(laws, parts, setting_.cpu_speed);
  }
  if (differs.copy) {
    bounds[Bound::accelerator] = accelerator_bound(laws, setting_.accelerator_items_per_s);
  }
  if (reads_ && (differs.disk || other_miss)) {
    bounds[Bound::disk] = disk_bound(laws, parts.miss, setting_.disk);
  }
  if (reads_ && (differs.disk || differs.data || other_miss)) {
    bounds[Bound::loader] = loader_bound(laws, parts, setting_.cpu_speed, setting_.disk);
  }
  return bounds;
}

double SettingBounds::miss_under(const Laws& laws) const {
  return !reads_ ? 0.0 : asked_miss_ >= 0 ? asked_miss_ : 1.0 - predicted_hit_ratio(laws, setting_);
}

double SettingBounds::fixed_capacity_under(const Laws& laws) const {
  return computes_ ? cpu_capacity(laws.fixed_scaling, setting_.cpus) : 1;
}

// Of all host work, when the CPUs do nothing else and never wait.
double SettingBounds::cpu_bound(const Laws& laws, const Parts& parts, double cpu_speed) const {
  double seconds = (parts.data_s - laws.serial_cpu_s) / parts.capacity +
                   laws.serial_cpu_s / std::min(1.0, parts.capacity);
  if (computes_) {
    seconds += laws.compute.per_item_s / parts.capacity +
               laws.compute.fixed_s / setting_.workload.batch / parts.fixed_capacity;
  }
  const double host_s = seconds / cpu_speed;
  return host_s > 0 ? 1.0 / host_s : std::numeric_limits<double>::infinity();
}

double SettingBounds::accelerator_bound(const Laws& laws, double items_per_s) const {
  if (items_per_s <= 0) {
    return std::numeric_limits<double>::infinity();
  }
  const double copy_s = setting_.copy_before_step ? laws.copy_s : 0.0;
  return 1.0 / (1.0 / items_per_s + copy_s);
}

double SettingBounds::disk_bound(const Laws& laws, double miss, const DiskSpeed& disk) const {
  double disk_s = 1.0 / disk_items_per_s(effective_disk(laws, disk), laws.disk, item_bytes_, miss);
  const double written = written_bytes_per_item(setting_);
  if (written > 0 && setting_.disk_write_bytes_per_s > 0) {
    disk_s += written / (setting_.disk_write_bytes_per_s * laws.disk.efficiency);
  }
  return disk_s > 0 ? 1.0 / disk_s : std::numeric_limits<double>::infinity();
}

// Each loader thread reads, then decodes: its own cycle bounds it even when no resource is full.
double SettingBounds::loader_bound(const Laws& laws,
                                   const Parts& parts,
                                   double cpu_speed,
                                   const DiskSpeed& disk) const {
  const double cycle_s =
      disk_seconds_per_item(unqueued_disk(laws, disk), laws.disk, item_bytes_, parts.miss) +
      parts.data_s / cpu_speed;
  return cycle_s > 0 && setting_.loader_threads > 0 ? setting_.loader_threads / cycle_s
                                                    : std::numeric_limits<double>::infinity();
}

}  // namespace rightsize
