// Which CPUs a run with a vCPU limit may use, and whether it needs a quota on top.
#pragma once

#include <string>
#include <vector>

namespace rightsize {

// The CPUs this process may run on (sched_getaffinity(2)), ascending.
[[nodiscard]] std::vector<int> allowed_cpus();

struct CpuChoice {
  std::vector<int> cpus;  // empty: leave the set as it is
  bool quota = false;     // the set alone does not hold the limit
};

// A machine with n vCPUs shows n CPUs: take ceil(cpus) of the allowed ones, the last, because
// interrupts prefer the first. A whole number of CPUs needs no quota then. A limit above what
// there is changes nothing.
[[nodiscard]] CpuChoice choose_cpus(double cpus, const std::vector<int>& allowed);

// "2,3", as cpuset.cpus wants it.
[[nodiscard]] std::string cpu_list(const std::vector<int>& cpus);

}  // namespace rightsize
