#include "profiler/throttle/cpu_choice.h"

#include <algorithm>
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
  if (cpus <= 0) {
    return {};
  }
  if (allowed.empty()) {
    return {{}, true};
  }
  const auto whole = std::ceil(cpus);
  if (cpus >= static_cast<double>(allowed.size())) {
    return {};
  }
  CpuChoice choice;
  choice.quota = whole != cpus;
  if (whole < static_cast<double>(allowed.size())) {
    choice.cpus.assign(allowed.end() - static_cast<std::ptrdiff_t>(whole), allowed.end());
  }
  return choice;
}

CpuQuota cpu_quota(double cpus) {
  constexpr double usual_period_us = 10'000;
  constexpr double longest_period_us = 1'000'000;
  constexpr double least_quota_us = 1'000;
  const double period_us = std::clamp(least_quota_us / cpus, usual_period_us, longest_period_us);
  const double quota_us = std::max(cpus * period_us, least_quota_us);
  return {static_cast<int>(std::lround(quota_us)), static_cast<int>(std::lround(period_us))};
}

std::string cpu_list(const std::vector<int>& cpus) {
  return fmt::format("{}", fmt::join(cpus, ","));
}

}  // namespace rightsize
