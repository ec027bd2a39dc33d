// The vCPUs that GPUs take beside those that load and decode: the one rule for offers and described
// machines.
#pragma once

#include <optional>
#include <string>

#include <fmt/format.h>

namespace rightsize {

// Each of several GPUs has a process of its own, which keeps it busy from a vCPU; of one GPU a part
// of a vCPU is a quota.
[[nodiscard]] inline double vcpus_of_processes(double gpus) {
  return gpus > 1 ? gpus : 0;
}

// Why a machine's vCPUs are too few for that; "" where they are not, or not stated.
[[nodiscard]] inline std::string host_cpus_shortage(std::optional<double> vcpus, double gpus) {
  return !vcpus || *vcpus >= vcpus_of_processes(gpus)
             ? ""
             : fmt::format("{:.4g} vCPU{} for {:.4g} GPUs, of which each one's process takes one",
                           *vcpus,
                           *vcpus == 1 ? "" : "s",
                           gpus);
}

}  // namespace rightsize
