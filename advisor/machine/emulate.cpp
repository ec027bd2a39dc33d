#include "advisor/machine/emulate.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "kernels/gibibyte.h"

namespace rightsize {
namespace {

constexpr double least_scale = 1.0 / 64;
constexpr double usable_memory = 0.9;  // of this machine's: the rest is the system's

// 1, 1/2, 1/3, ...: the largest that `wanted` x scale fits into `available` with.
double largest_scale(double wanted, double available) {
  return wanted <= available ? 1.0 : 1.0 / std::ceil(wanted / available - 1e-9);
}

}  // namespace

Emulation emulate(const Setting& setting, const Machine& here) {
  const double cpus = setting.cpus * setting.cpu_speed;
  const auto memory = static_cast<double>(setting.memory_bytes);
  Emulation emulation;
  emulation.scale = largest_scale(cpus, std::max(here.cpus, 1));
  if (emulation.scale < least_scale) {
    throw EmulationError(fmt::format(
        "{:g} vCPUs cannot be emulated on {} here: less than 1/64 of the machine would be left. "
        "Measure on a larger one",
        setting.cpus,
        here.cpus));
  }
  auto& limits = emulation.limits;
  // Quotas of less than a hundredth of a vCPU mean nothing.
  limits.cpus = std::round(cpus * emulation.scale * 100) / 100;
  limits.memory_bytes = static_cast<std::uint64_t>(memory * emulation.scale);
  limits.disk_read_bytes_per_s = std::round(setting.disk.bytes_per_s * emulation.scale);
  limits.disk_read_iops = std::round(setting.disk.iops * emulation.scale);
  limits.disk_write_bytes_per_s = std::round(setting.disk_write_bytes_per_s * emulation.scale);
  emulation.replay_items_per_s = setting.accelerator_items_per_s * emulation.scale;
  if (emulation.scale < 1) {
    emulation.notes.push_back(
        fmt::format("{:g} vCPU{} here for {:g} there: vCPUs, memory, disk and GPU at 1/{:.0f} of "
                    "their size; multiply the throughput by {:.0f}, and use that share of the data",
                    limits.cpus,
                    limits.cpus == 1 ? "" : "s",
                    setting.cpus,
                    1 / emulation.scale,
                    1 / emulation.scale));
  }
  const double room = usable_memory * static_cast<double>(here.memory_bytes);
  if (static_cast<double>(limits.memory_bytes) > room) {
    limits.memory_bytes = 0;
    emulation.notes.push_back(
        fmt::format("{:.0f} GiB of memory are more than there is here: not limited",
                    memory * emulation.scale / bytes_per_gib));
  }
  return emulation;
}

}  // namespace rightsize
