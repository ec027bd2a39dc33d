#include "models/laws/host_cpu.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "models/laws/normal_quantile.h"
#include "models/laws/published_cpus.h"

namespace rightsize {
namespace {

// Without what a quota loses.
double scaled(const CpuScalingLaw& law, double cpus) {
  const double measured = std::min(cpus, law.measured_cpus);
  const double beyond_one = std::max(0.0, measured - 1.0);
  const double capacity =
      measured / (1.0 + law.contention * beyond_one + law.coherency * measured * beyond_one);
  if (cpus <= law.measured_cpus) {
    return capacity;
  }
  const double contending = std::min(cpus, std::max(measured, most_cpus_published));
  return capacity * cpus / measured * (1 + law.beyond * beyond_one) /
         (1 + law.beyond * (contending - 1));
}

}  // namespace

bool is_unseen(const CpuScalingLaw& law, double cpus) {
  return std::isinf(law.most_used) && cpus > law.seen_cpus;
}

double cpu_capacity(const CpuScalingLaw& law, double given) {
  assert(given > 0);
  const double cpus = std::min(given, law.most_used);
  if (cpus < given) {
    return scaled(law, cpus);  // no quota stops it
  }
  const double whole = std::floor(cpus);
  if (whole == cpus) {
    return scaled(law, cpus);
  }
  const double under_quota = scaled(law, cpus) / (1 + law.quota_loss * (whole + 1 - cpus) / cpus);
  return whole > 0 ? std::max(under_quota, scaled(law, whole)) : under_quota;
}

double unmeasured_log_sd(const CpuScalingLaw& law, double given) {
  constexpr double per_doubling = 0.04;
  const double cpus = std::min(given, law.most_used);
  const double walk =
      cpus <= law.measured_cpus ? 0 : per_doubling * std::sqrt(std::log2(cpus / law.measured_cpus));
  const double serial =
      is_unseen(law, cpus)
          ? std::log(cpu_capacity(law, cpus) / cpu_capacity(law, law.seen_cpus)) / normal_90
          : 0;
  return std::hypot(walk, serial);
}

}  // namespace rightsize
