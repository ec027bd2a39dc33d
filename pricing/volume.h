// Disks as priced volumes: a class, its size and what that size delivers.
#pragma once

#include <optional>
#include <string>

#include "pricing/money.h"

namespace rightsize {

// throughput(GiB) = min(base + per_gib * GiB, max), IOPS likewise but at least `iops_floor`; MB/s
// are 10^6 bytes.
struct VolumeClass {
  std::string provider;
  std::string name;
  std::string kind;  // "network" or "local"
  double iops_floor = 0;
  double iops_base = 0;
  double iops_per_gib = 0;
  double iops_max = 0;
  double mbps_base = 0;
  double mbps_per_gib = 0;
  double mbps_max = 0;
  double latency_ms = 0;
  std::optional<Money> price_per_gib_month;
  double min_gib = 1;
  double max_gib = 0;
  std::string book;
  std::string as_of;
  std::string source;
};

struct VolumePerformance {
  double bytes_per_s = 0;
  double iops = 0;
  double latency_s = 0;
};

[[nodiscard]] VolumePerformance performance(const VolumeClass& volume, double gib);

// Smallest whole GiB that holds `bytes` and delivers `bytes_per_s`; nullopt when none does.
[[nodiscard]] std::optional<double> smallest_size_gib(const VolumeClass& volume,
                                                      double bytes,
                                                      double bytes_per_s);

}  // namespace rightsize
