// What a disk delivers: items per second from bandwidth and from requests, whichever runs out first
// (asymptotic bounds; Denning & Buzen, "The operational analysis of queueing network models", ACM
// Computing Surveys 10 (1978)). Only misses of the page cache reach the disk.
#pragma once

namespace rightsize {

struct DiskSpeed {
  double bytes_per_s = 0;        // sequential or large random reads; > 0
  double iops = 0;               // device requests per second; 0 = not limited
  double latency_s = 0;          // until the first byte of a read; 0: as on the measured machine
  double max_request_bytes = 0;  // the kernel splits larger reads; 0 = 256 KiB, a cloud disk's unit
  double burst_iops = 0;         // while credits last; 0: no burst
  double io_credits = 0;         // requests above `iops` that a rested disk has saved up

  bool operator==(const DiskSpeed&) const = default;
};

struct DiskLaw {
  double efficiency = 1;      // achieved / nominal bandwidth for this access pattern, fitted
  double read_latency_s = 0;  // seconds until the first byte of a random read
  // Bytes read / bytes asked for: above 1 where read-ahead of a memory map brings in what a random
  // reader does not want (measured: 9 for shuffled LMDB at 8 MiB of read-ahead), 1 for whole files.
  double amplification = 1;

  bool operator==(const DiskLaw&) const = default;
};

// Whether it can be faster than it is for ever.
[[nodiscard]] bool bursts(const DiskSpeed& disk);

// The disk as it is on average over its first `seconds` of full use: credits that are spent at the
// burst's rate and earned at the base's last credits / (burst - base) seconds (Amazon EBS user
// guide, "I/O credits and burst performance"). What is left is a disk without a burst.
[[nodiscard]] DiskSpeed averaged(DiskSpeed disk, double seconds);

// What it gives while its credits last, and what it gives for ever, each as a disk without a burst.
[[nodiscard]] DiskSpeed at_burst(DiskSpeed disk);
[[nodiscard]] DiskSpeed sustained(DiskSpeed disk);

// Device requests needed for one item of `bytes`.
[[nodiscard]] double requests_per_item(const DiskSpeed& disk, double bytes);

// Items per second that the disk can deliver when a share `miss` of `bytes` per item must come
// from it; infinity when nothing does.
[[nodiscard]] double disk_items_per_s(const DiskSpeed& disk,
                                      const DiskLaw& law,
                                      double bytes,
                                      double miss);

// Seconds one reader waits for one item when it has the disk to itself.
[[nodiscard]] double disk_seconds_per_item(const DiskSpeed& disk,
                                           const DiskLaw& law,
                                           double bytes,
                                           double miss);

}  // namespace rightsize
