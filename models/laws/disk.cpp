#include "models/laws/disk.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rightsize {
namespace {

constexpr double default_request_bytes = 256 * 1024;

}  // namespace

bool bursts(const DiskSpeed& disk) {
  return disk.iops > 0 && disk.burst_iops > disk.iops;
}

DiskSpeed averaged(DiskSpeed disk, double seconds) {
  if (bursts(disk) && seconds > 0) {
    disk.iops = std::min(disk.burst_iops, disk.iops + disk.io_credits / seconds);
  }
  return sustained(disk);
}

DiskSpeed at_burst(DiskSpeed disk) {
  disk.iops = bursts(disk) ? disk.burst_iops : disk.iops;
  return sustained(disk);
}

DiskSpeed sustained(DiskSpeed disk) {
  disk.burst_iops = 0;
  disk.io_credits = 0;
  return disk;
}

double requests_per_item(const DiskSpeed& disk, double bytes) {
  const double unit = disk.max_request_bytes > 0 ? disk.max_request_bytes : default_request_bytes;
  return std::max(1.0, bytes / unit);
}

double disk_items_per_s(const DiskSpeed& disk, const DiskLaw& law, double bytes, double miss) {
  if (miss <= 0) {
    return std::numeric_limits<double>::infinity();
  }
  const double by_bandwidth =
      disk.bytes_per_s * law.efficiency / (bytes * miss * law.amplification);
  if (disk.iops <= 0) {
    return by_bandwidth;
  }
  return std::min(by_bandwidth,
                  disk.iops / (requests_per_item(disk, bytes * law.amplification) * miss));
}

double disk_seconds_per_item(const DiskSpeed& disk, const DiskLaw& law, double bytes, double miss) {
  const double rate = disk_items_per_s(disk, law, bytes, miss);
  return miss * std::max(law.read_latency_s, disk.latency_s) +
         (std::isinf(rate) ? 0.0 : 1.0 / rate);
}

}  // namespace rightsize
