// Which CPUs a run with a vCPU limit may use, and whether it needs a quota on top.
#pragma once

#include <string>
#include <vector>

namespace rightsize {

// The CPUs this process may run on (sched_getaffinity(2)), ascending; none where the kernel has
// more than a cpu_set_t has room for.
[[nodiscard]] std::vector<int> allowed_cpus();

struct CpuChoice {
  std::vector<int> cpus;  // empty: leave the set as it is
  bool quota = false;     // the set alone does not hold the limit
};

// A machine with n vCPUs shows n CPUs: take ceil(cpus) of the allowed ones, the last, because
// interrupts prefer the first. A whole number of CPUs needs no quota then. A limit above what
// there is changes nothing; where nobody says what there is, a quota holds it.
[[nodiscard]] CpuChoice choose_cpus(double cpus, const std::vector<int>& allowed);

// What a group may take of its CPUs' time in each period.
struct CpuQuota {
  int quota_us = 0;
  int period_us = 0;
};

// A short period gives a smooth quota: with the usual 100 ms a half CPU would run 50 ms and then
// stand still for 50 ms, which a real slower machine never does. The kernel takes no quota of less
// than a millisecond and no period of more than a second (sched/core.c, tg_set_cfs_bandwidth): of
// less than a tenth of a CPU the period is longer, of less than a thousandth that is what it gets.
[[nodiscard]] CpuQuota cpu_quota(double cpus);

// "2,3", as cpuset.cpus wants it.
[[nodiscard]] std::string cpu_list(const std::vector<int>& cpus);

}  // namespace rightsize
