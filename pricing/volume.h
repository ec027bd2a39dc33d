// Disks as priced volumes: a class, its size and what that size delivers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pricing/money.h"

namespace rightsize {

// throughput(GiB) = min(base + per_gib * GiB, max), from `mbps_step_gib` on at least `mbps_step`;
// IOPS likewise but at least `iops_floor`; MB/s are 10^6 bytes. Where speed is bought apart from
// the size, the bases are what every volume has, iops_per_gib is the most that a GiB is sold with,
// and throughput is at most mbps_per_iops * IOPS.
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
  double mbps_step_gib = 0;  // 0: no step
  double mbps_step = 0;
  double mbps_per_iops = 0;  // more than 0: IOPS are bought apart, at price_per_iops_month
  // More IOPS than the size gives, as long as credits last; they are earned at the size's rate. A
  // burst that grows with the size is min(burst_iops_per_gib * GiB, burst_iops).
  double burst_iops = 0;
  double burst_iops_per_gib = 0;
  double io_credits = 0;  // requests saved up when the volume is new
  double io_credits_per_gib = 0;
  // What counts as one request: more bytes are several, less is one unless they follow each other.
  double request_kib = 0;  // 0: not stated
  double latency_ms = 0;
  std::optional<Money> price_per_iops_month;
  std::optional<Money> price_per_mbps_month;  // absent: throughput comes with size and IOPS
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
  double burst_iops = 0;  // while `io_credits` last; 0: no burst
  double io_credits = 0;
  double request_bytes = 0;  // 0: not stated
};

// Beyond what every volume of the class has.
struct BoughtSpeed {
  std::int64_t iops = 0;
  std::int64_t mbps = 0;
};

// What one machine lets through to its disks, whatever they could do; absent: not known.
struct DiskCap {
  std::string provider;
  std::string instance;
  std::string volume;  // class, or "*"
  std::optional<double> mbps;
  std::optional<double> iops;
  std::string source;
};

// Speed of a new volume; `bought` counts for classes that sell it apart.
[[nodiscard]] VolumePerformance performance(const VolumeClass& volume,
                                            double gib,
                                            const BoughtSpeed& bought = {});

[[nodiscard]] bool sells_speed(const VolumeClass& volume);

// Of a class that sells them apart: small volumes are sold with fewer.
[[nodiscard]] double most_iops(const VolumeClass& volume, double gib);

// The lower of both, part by part.
[[nodiscard]] VolumePerformance capped(VolumePerformance delivered, const DiskCap& cap);

// What to buy for `bytes_per_s` and for so many requests a second, at most what the class sells a
// volume of that size; nothing where none is sold.
[[nodiscard]] BoughtSpeed speed_to_buy(const VolumeClass& volume,
                                       double gib,
                                       double bytes_per_s,
                                       double iops = 0);

// Smallest whole GiB that holds `bytes` and delivers `bytes_per_s`, bought apart where that is how;
// nullopt when none does.
[[nodiscard]] std::optional<double> smallest_size_gib(const VolumeClass& volume,
                                                      double bytes,
                                                      double bytes_per_s);

}  // namespace rightsize
