#include "profiler/campaign/excess.h"

#include <fmt/format.h>

#include "kernels/gibibyte.h"

namespace rightsize {

std::optional<std::string> excess_over(const Machine& machine, const Limits& limits) {
  if (machine.cpus > 0 && limits.cpus > machine.cpus) {
    return fmt::format("cpus = {:g}: this machine has {}", limits.cpus, machine.cpus);
  }
  if (machine.memory_bytes > 0 && limits.memory_bytes > machine.memory_bytes) {
    return fmt::format("memory = {:.4g} GiB: this machine has {:.4g} GiB",
                       static_cast<double>(limits.memory_bytes) / bytes_per_gib,
                       static_cast<double>(machine.memory_bytes) / bytes_per_gib);
  }
  return std::nullopt;
}

}  // namespace rightsize
