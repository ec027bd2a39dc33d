#include "models/laws/host_cpu.h"

#include <algorithm>
#include <cassert>

namespace rightsize {

double cpu_capacity(const CpuScalingLaw& law, double cpus) {
  assert(cpus > 0);
  const double beyond_one = std::max(0.0, cpus - 1.0);
  return cpus / (1.0 + law.contention * beyond_one + law.coherency * cpus * beyond_one);
}

}  // namespace rightsize
