// A host of which all is plenty but what is asked about: how busy an accelerator is beside it, and
// how much of that one thing keeps it so.
#pragma once

#include "advisor/machine/estimator.h"

namespace rightsize {

// vCPUs beyond any machine's.
inline constexpr double plenty_of_cpus = 4096;
// Of which so many are tried.
inline constexpr int most_cpus = 1024;

[[nodiscard]] bool reads_data(const Estimator::Plan& plan);

// Whether the work is known to pass over its data no more than once: then memory, however much, has
// none of it when it is read.
[[nodiscard]] bool reads_once(const Estimator::Plan& plan);

// Everything else is plenty, disk and vCPUs alike; memory holds what the processes do, and caches
// nothing.
[[nodiscard]] Setting with_cpus(const Estimator::Plan& plan, double cpus);

// The part of its time that the accelerator of `setting` works, 0 to 1.
[[nodiscard]] double utilisation(const Laws& laws, const Setting& setting);

// The same, of a disk and memory beside vCPUs that cost nothing (more of them would contend).
[[nodiscard]] double utilisation_with_disk(const Estimator::Plan& plan,
                                           double bytes_per_s,
                                           double memory_bytes);

// Where nothing is short; below 1 where copies to the GPUs are.
[[nodiscard]] double most_utilisation(const Estimator::Plan& plan);

// Loading vCPUs in quarters, when every item costs `factor` times the law's CPU; 0 without data,
// infinity where no number is enough. With all of the data in memory reading costs them less.
[[nodiscard]] double loading_cpus(const Estimator::Plan& plan,
                                  double target,
                                  double factor,
                                  bool cached = false);

// The whole number of loading vCPUs that keeps the accelerator busiest: beyond it they only
// contend.
[[nodiscard]] int busiest_cpus(const Estimator::Plan& plan);

// Bytes/s of the slowest disk when the accelerator is `factor` times as fast; infinity where none
// is fast enough.
[[nodiscard]] double disk_needed(const Estimator::Plan& plan,
                                 double target,
                                 double memory_bytes,
                                 double factor);

// How much of the data that memory caches, 0 to 1.
[[nodiscard]] double cached_share(const Estimator::Plan& plan, double memory_bytes);

}  // namespace rightsize
