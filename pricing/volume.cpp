#include "pricing/volume.h"

#include <algorithm>
#include <cmath>

namespace rightsize {
namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;
constexpr double mega = 1e6;

}  // namespace

VolumePerformance performance(const VolumeClass& volume, double size_gib) {
  const double mbps = std::min(volume.mbps_base + volume.mbps_per_gib * size_gib, volume.mbps_max);
  const double iops =
      std::max(volume.iops_floor,
               std::min(volume.iops_base + volume.iops_per_gib * size_gib, volume.iops_max));
  return {mbps * mega, iops, volume.latency_ms * 1e-3};
}

std::optional<double> smallest_size_gib(const VolumeClass& volume,
                                        double bytes,
                                        double bytes_per_s) {
  double size = std::max(volume.min_gib, std::ceil(bytes / gib));
  const double wanted_mbps = bytes_per_s / mega;
  if (wanted_mbps > volume.mbps_max) {
    return std::nullopt;
  }
  if (volume.mbps_base < wanted_mbps) {
    if (volume.mbps_per_gib <= 0) {
      return std::nullopt;
    }
    size = std::max(size, std::ceil((wanted_mbps - volume.mbps_base) / volume.mbps_per_gib));
  }
  if (volume.max_gib > 0 && size > volume.max_gib) {
    return std::nullopt;
  }
  return size;
}

}  // namespace rightsize
