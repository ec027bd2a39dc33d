#include "pricing/volume.h"

#include <algorithm>
#include <cmath>

namespace rightsize {
namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;
constexpr double mega = 1e6;

bool sells_iops(const VolumeClass& volume) {
  return volume.mbps_per_iops > 0;
}

double mbps_at(const VolumeClass& volume, double size_gib, double bought_iops) {
  if (sells_iops(volume)) {
    return std::min(volume.mbps_per_iops * bought_iops, volume.mbps_max);
  }
  const double formula = volume.mbps_base + volume.mbps_per_gib * size_gib;
  const bool past_step = volume.mbps_step_gib > 0 && size_gib >= volume.mbps_step_gib;
  return std::min(past_step ? std::max(formula, volume.mbps_step) : formula, volume.mbps_max);
}

// The least size whose throughput is `wanted_mbps`, by the slope or by the step.
std::optional<double> size_for(const VolumeClass& volume, double wanted_mbps) {
  if (sells_iops(volume) || volume.mbps_base >= wanted_mbps) {
    return volume.min_gib;
  }
  std::optional<double> size;
  if (volume.mbps_per_gib > 0) {
    size = std::ceil((wanted_mbps - volume.mbps_base) / volume.mbps_per_gib);
  }
  if (volume.mbps_step_gib > 0 && volume.mbps_step >= wanted_mbps) {
    size = std::min(size.value_or(volume.mbps_step_gib), volume.mbps_step_gib);
  }
  return size;
}

}  // namespace

VolumePerformance performance(const VolumeClass& volume, double size_gib, double bought_iops) {
  const double iops =
      sells_iops(volume)
          ? std::min(bought_iops, volume.iops_max)
          : std::max(volume.iops_floor,
                     std::min(volume.iops_base + volume.iops_per_gib * size_gib, volume.iops_max));
  return {mbps_at(volume, size_gib, bought_iops) * mega, iops, volume.latency_ms * 1e-3};
}

VolumePerformance capped(VolumePerformance delivered, const DiskCap& cap) {
  if (cap.mbps) {
    delivered.bytes_per_s = std::min(delivered.bytes_per_s, *cap.mbps * mega);
  }
  if (cap.iops) {
    delivered.iops = std::min(delivered.iops, *cap.iops);
  }
  return delivered;
}

std::int64_t iops_to_buy(const VolumeClass& volume, double bytes_per_s) {
  if (!sells_iops(volume)) {
    return 0;
  }
  const double wanted = std::ceil(bytes_per_s / mega / volume.mbps_per_iops);
  return static_cast<std::int64_t>(std::clamp(wanted, 100.0, volume.iops_max));
}

std::optional<double> smallest_size_gib(const VolumeClass& volume,
                                        double bytes,
                                        double bytes_per_s) {
  const double wanted_mbps = bytes_per_s / mega;
  const auto fast_enough =
      wanted_mbps > volume.mbps_max ? std::nullopt : size_for(volume, wanted_mbps);
  if (!fast_enough) {
    return std::nullopt;
  }
  const double size = std::max({volume.min_gib, std::ceil(bytes / gib), *fast_enough});
  return volume.max_gib > 0 && size > volume.max_gib ? std::nullopt : std::optional(size);
}

}  // namespace rightsize
