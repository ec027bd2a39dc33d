// What is assumed of vCPUs that nobody measured: where it decides what feeds many GPUs, it is said.
#pragma once

#include <string>

#include "models/laws/host_cpu.h"

namespace rightsize {

// "vCPUs were measured up to 2; 192 are counted as 94 (0.5 % contention, assumed)", with what holds
// beyond all machines published; "" of few more than were measured.
[[nodiscard]] std::string extrapolated_cpus_words(const CpuScalingLaw& law,
                                                  double measured_cpus,
                                                  double cpus);

}  // namespace rightsize
