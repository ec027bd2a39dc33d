// How much CPU work n vCPUs do per second, in units of one vCPU: the Universal Scalability Law
//   C(n) = n / (1 + contention (n - 1) + coherency n (n - 1)),
// which turns down beyond n* = sqrt((1 - contention) / coherency).
// Source: N. J. Gunther, "Guerrilla Capacity Planning", Springer 2007, eq. 4.31.
// Below one vCPU a quota is a plain fraction of a core: C(n) = n. Contention measured on m vCPUs -
// two threads of one core, often - says nothing of the hundred a cloud machine has: beyond m
//   C(n) = C(m) n/m (1 + beyond (m - 1)) / (1 + beyond (n - 1)).
#pragma once

#include <limits>

namespace rightsize {

struct CpuScalingLaw {
  double contention = 0;  // share of the work that is serial, 0..1
  double coherency = 0;   // cost of keeping each pair of CPUs consistent
  double measured_cpus = std::numeric_limits<double>::infinity();  // m: the most vCPUs measured
  double beyond = 0;                                               // contention beyond them
};

// vCPU-seconds of work done per second by `cpus` vCPUs; `cpus` > 0, may be fractional.
[[nodiscard]] double cpu_capacity(const CpuScalingLaw& law, double cpus);

}  // namespace rightsize
