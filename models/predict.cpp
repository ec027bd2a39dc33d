#include "models/predict.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/workload_parts.h"

namespace rightsize {
namespace {

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

}  // namespace rightsize
