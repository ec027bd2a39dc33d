#include "advisor/candidate/disk_for_job.h"

#include <algorithm>
#include <utility>

#include "advisor/candidate/own_loader.h"

namespace rightsize {

bool Reading::in_sequence() const {
  const bool has_index =
      format != DataFormat::tfrecord || loader == measured_loader || phase == Phase::preprocess;
  return !shuffle || !has_index;
}

Reading reading_of(const Query& query) {
  return {query.format, query.shuffle, query.phase, query.loader, query.dataset_bytes, query.items};
}

DiskSpeed disk_for_job(const DiskSpeed& speed, const Reading& reading) {
  const double item_bytes = static_cast<double>(reading.bytes) /
                            static_cast<double>(std::max<std::uint64_t>(1, reading.items));
  return reading.in_sequence() ? read_in_sequence(speed, item_bytes) : speed;
}

DiskChoice let_through(DiskChoice disk, const Catalog& catalog, std::string_view instance) {
  const auto* cap = disk.volume == nullptr
                        ? nullptr
                        : catalog.disk_cap(disk.volume->provider, instance, disk.volume->name);
  return cap == nullptr ? disk : let_through(std::move(disk), *cap);
}

DiskChoice let_through(DiskChoice disk, const DiskCap& cap) {
  if (cap.mbps) {
    disk.speed.bytes_per_s = std::min(disk.speed.bytes_per_s, *cap.mbps * 1e6);
  }
  if (cap.iops) {
    disk.speed.iops = std::min(disk.speed.iops, *cap.iops);
    disk.speed.burst_iops = std::min(disk.speed.burst_iops, *cap.iops);
  }
  return disk;
}

}  // namespace rightsize
