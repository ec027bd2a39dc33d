#include "models/laws/host_cpu.h"

#include <algorithm>
#include <cassert>

namespace rightsize {

double cpu_capacity(const CpuScalingLaw& law, double cpus) {
  assert(cpus > 0);
  const double measured = std::min(cpus, law.measured_cpus);
  const double beyond_one = std::max(0.0, measured - 1.0);
  const double capacity =
      measured / (1.0 + law.contention * beyond_one + law.coherency * measured * beyond_one);
  return cpus <= law.measured_cpus ? capacity
                                   : capacity * cpus / measured * (1 + law.beyond * beyond_one) /
                                         (1 + law.beyond * (cpus - 1));
}

}  // namespace rightsize
