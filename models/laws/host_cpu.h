// How much CPU work n vCPUs do per second, in units of one vCPU: the Universal Scalability Law
//   C(n) = n / (1 + contention (n - 1) + coherency n (n - 1)),
// which turns down beyond n* = sqrt((1 - contention) / coherency).
// Source: N. J. Gunther, "Guerrilla Capacity Planning", Springer 2007, eq. 4.31.
// A fraction is a quota, spent early in each of its periods (Turner et al., "CPU bandwidth control
// for CFS", Linux Symposium 2010): CPUs that were stopped come back with cold caches and a lower
// clock, and lose `quota_loss` of the time that they stood still: C(n) / (1 + quota_loss
// (ceil(n) - n) / n), though no less than the whole CPUs in it would do. Contention measured on m
// vCPUs - two threads of one core, often - says nothing of the hundred a cloud machine has: beyond
// m >= 2
//   C(n) = C(m) n/m (1 + beyond (m - 1)) / (1 + beyond (n - 1)).
#pragma once

#include <limits>

namespace rightsize {

struct CpuScalingLaw {
  double contention = 0;  // share of the work that is serial, 0..1
  double coherency = 0;   // cost of keeping each pair of CPUs consistent
  double measured_cpus = std::numeric_limits<double>::infinity();  // m: the most vCPUs measured
  double beyond = 0;                                               // contention beyond them
  double quota_loss = 0;  // share of the time that a quota stops CPUs for
  // Of one program: vCPUs that it uses at the most, and those beyond which nobody has seen whether
  // it uses more.
  double most_used = std::numeric_limits<double>::infinity();
  double seen_cpus = std::numeric_limits<double>::infinity();

  bool operator==(const CpuScalingLaw&) const = default;
};

// vCPU-seconds of work done per second by `cpus` vCPUs; `cpus` > 0, may be fractional.
[[nodiscard]] double cpu_capacity(const CpuScalingLaw& law, double cpus);

// Standard deviation of ln C(n) where nobody measured, on top of that of the law's constants: cores
// share clocks, caches and memory in ways the law does not know. A walk, 4 % for each doubling of
// the vCPUs measured (assumed; from 1 to 2 decoding went -2 to +4 % off the law). A program may use
// no more than it was seen with: the lower end of its 90 % interval is what it did with those.
[[nodiscard]] double unmeasured_log_sd(const CpuScalingLaw& law, double cpus);

// Of a program that may use more vCPUs than it was seen with: nobody knows.
[[nodiscard]] bool is_unseen(const CpuScalingLaw& law, double cpus);

}  // namespace rightsize
