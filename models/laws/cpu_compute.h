// One step of a network on a CPU where it was never measured:
//   t(b) = b [ F / (cores peak e) + T / (cores m) ] (1 + c (cores - 1)) + W / (cores m) + L l
// F: FLOPs per item; T: bytes of activations, written once and read once per layer and direction;
// W: bytes of weights read once per step and direction; L: layers that compute. A vCPU with SMT is
// half a core. A roofline whose two parts do not overlap (Williams, Waterman & Patterson,
// Communications of the ACM 52 (2009)) under Amdahl-like contention; the constants are fitted to
// MXNet's published CPU figures of 2017 and 2018 on EC2's c4 and c5 (tests/bench/scaling.cpp prints
// the leave-one-network-out error).
#pragma once

#include "kernels/network.h"
#include "kernels/workload.h"
#include "models/laws/cpu_kind.h"

namespace rightsize {

struct CpuComputeLaw {
  double efficiency = 0.62;       // of the peak of all cores, in convolutions and products
  double bytes_per_s = 9e9;       // per core
  double contention = 0.02;       // per further core
  double layer_s = 60e-6;         // start and join of one layer's threads, one direction
  double log_sd = 0.30;           // of ln(rate): leave-one-network-out
  double unknown_cpu_log_sd = 0.35;
};

// What the law needs of a network, worked out once.
struct CpuWork {
  double flops = 0;             // per item, all directions of the phase
  double activation_bytes = 0;  // per item
  double weight_bytes = 0;      // per step
  double layers = 0;            // per step, all directions
};

[[nodiscard]] CpuWork cpu_work(const Network& network, Phase phase);

// Seconds of one step on `vcpus` of this kind; vcpus > 0.
[[nodiscard]] double cpu_step_seconds(const CpuComputeLaw& law,
                                      const CpuWork& work,
                                      const CpuKind& cpu,
                                      double vcpus,
                                      int batch);

}  // namespace rightsize
