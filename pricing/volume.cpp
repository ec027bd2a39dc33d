#include "pricing/volume.h"

#include <algorithm>
#include <cmath>

#include "pricing/billing.h"

namespace rightsize {
namespace {

constexpr double mega = 1e6;
constexpr double least_iops = 100;  // of a class without any of its own (AWS io1 and io2)

double iops_at(const VolumeClass& volume, double size_gib, const BoughtSpeed& bought) {
  if (sells_speed(volume)) {
    return std::min(volume.iops_base + static_cast<double>(bought.iops),
                    most_iops(volume, size_gib));
  }
  return std::max(volume.iops_floor,
                  std::min(volume.iops_base + volume.iops_per_gib * size_gib, volume.iops_max));
}

double mbps_at(const VolumeClass& volume, double size_gib, const BoughtSpeed& bought) {
  if (sells_speed(volume)) {
    const double most =
        std::min(volume.mbps_per_iops * iops_at(volume, size_gib, bought), volume.mbps_max);
    return volume.price_per_mbps_month
               ? std::min(volume.mbps_base + static_cast<double>(bought.mbps), most)
               : most;
  }
  const double formula = volume.mbps_base + volume.mbps_per_gib * size_gib;
  const bool past_step = volume.mbps_step_gib > 0 && size_gib >= volume.mbps_step_gib;
  return std::min(past_step ? std::max(formula, volume.mbps_step) : formula, volume.mbps_max);
}

// The least size whose throughput is `wanted_mbps`, by the slope or by the step.
std::optional<double> size_for(const VolumeClass& volume, double wanted_mbps) {
  if (sells_speed(volume) || volume.mbps_base >= wanted_mbps) {
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

bool sells_speed(const VolumeClass& volume) {
  return volume.mbps_per_iops > 0;
}

double most_iops(const VolumeClass& volume, double size_gib) {
  return volume.iops_per_gib > 0
             ? std::clamp(volume.iops_per_gib * size_gib, volume.iops_base, volume.iops_max)
             : volume.iops_max;
}

VolumePerformance performance(const VolumeClass& volume,
                              double size_gib,
                              const BoughtSpeed& bought) {
  VolumePerformance speed{mbps_at(volume, size_gib, bought) * mega,
                          iops_at(volume, size_gib, bought),
                          volume.latency_ms * 1e-3};
  const double burst = volume.burst_iops_per_gib > 0
                           ? std::min(volume.burst_iops_per_gib * size_gib, volume.burst_iops)
                           : volume.burst_iops;
  if (burst > speed.iops) {
    speed.burst_iops = burst;
    speed.io_credits = volume.io_credits + volume.io_credits_per_gib * size_gib;
  }
  speed.request_bytes = volume.request_kib * 1024;
  return speed;
}

VolumePerformance capped(VolumePerformance delivered, const DiskCap& cap) {
  if (cap.mbps) {
    delivered.bytes_per_s = std::min(delivered.bytes_per_s, *cap.mbps * mega);
  }
  if (cap.iops) {
    delivered.iops = std::min(delivered.iops, *cap.iops);
    delivered.burst_iops = std::min(delivered.burst_iops, *cap.iops);
  }
  return delivered;
}

BoughtSpeed speed_to_buy(const VolumeClass& volume,
                         double size_gib,
                         double bytes_per_s,
                         double iops) {
  if (!sells_speed(volume)) {
    return {};
  }
  const double mbps = std::min(bytes_per_s / mega, volume.mbps_max);
  const double wanted = std::max(std::ceil(mbps / volume.mbps_per_iops), std::ceil(iops));
  const double more = std::min(wanted, most_iops(volume, size_gib)) - volume.iops_base;
  const double least = volume.iops_base > 0 ? 0 : least_iops;
  return {static_cast<std::int64_t>(std::max(more, least)),
          volume.price_per_mbps_month
              ? static_cast<std::int64_t>(std::max(0.0, std::ceil(mbps - volume.mbps_base)))
              : 0};
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
  const double size =
      std::max({volume.min_gib, std::ceil(bytes / static_cast<double>(gib_bytes)), *fast_enough});
  return volume.max_gib > 0 && size > volume.max_gib ? std::nullopt : std::optional(size);
}

}  // namespace rightsize
