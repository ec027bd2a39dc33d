#include "models/predict.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/workload_parts.h"

namespace rightsize {

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

DiskSpeed effective_disk(const Laws& laws, const DiskSpeed& disk) {
  DiskSpeed effective = disk;
  if (effective.bytes_per_s <= 0) {
    effective.bytes_per_s = laws.native_disk.bytes_per_s / laws.disk.efficiency;
  }
  return effective;
}

DiskSpeed effective_disk(const Laws& laws, const Setting& setting) {
  return effective_disk(laws, setting.disk);
}

DiskSpeed unqueued_disk(const Laws& laws, const DiskSpeed& disk) {
  DiskSpeed unqueued = effective_disk(laws, disk);
  unqueued.bytes_per_s = std::max(unqueued.bytes_per_s, laws.native_disk.bytes_per_s);
  unqueued.iops = 0;
  return unqueued;
}

DiskSpeed unqueued_disk(const Laws& laws, const Setting& setting) {
  return unqueued_disk(laws, setting.disk);
}

double decode_cpu_seconds(const Laws& laws, double item_bytes) {
  const double size =
      item_bytes > 0 && laws.picture_bytes > 0 ? item_bytes / laws.picture_bytes : 1;
  return std::max(laws.serial_cpu_s, laws.data_cpu_s * (crop_share + (1 - crop_share) * size));
}

double decode_cpu_seconds(const Laws& laws, const Setting& setting) {
  return decode_cpu_seconds(laws, bytes_per_item(setting));
}

double data_cpu_seconds(const Laws& laws, double item_bytes, double miss) {
  return decode_cpu_seconds(laws, item_bytes) +
         laws.read_cpu_s_per_byte * miss * laws.disk.amplification * item_bytes;
}

double data_cpu_seconds(const Laws& laws, const Setting& setting, double miss) {
  return data_cpu_seconds(laws, bytes_per_item(setting), miss);
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
  return SettingBounds(laws, setting, miss).bounds();
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
  return composed_items_per_s(bounds_of(laws, setting), laws.sharpness);
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
