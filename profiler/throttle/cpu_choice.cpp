#include "profiler/throttle/cpu_choice.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>

namespace rightsize {

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &set)) {
        cpus.push_back(cpu);
      }
    }
  }
  return cpus;
}

CpuChoice choose_cpus(double cpus, const std::vector<int>& allowed) {
  const auto whole = std::ceil(cpus);
  if (cpus <= 0 || cpus >= static_cast<double>(allowed.size())) {
    return {};
  }
  CpuChoice choice;
  choice.quota = whole != cpus;
  if (whole < static_cast<double>(allowed.size())) {
    choice.cpus.assign(allowed.end() - static_cast<std::ptrdiff_t>(whole), allowed.end());
  }
  return choice;
}

std::string cpu_list(const std::vector<int>& cpus) {
  return fmt::format("{}", fmt::join(cpus, ","));
}

}  // namespace rightsize
