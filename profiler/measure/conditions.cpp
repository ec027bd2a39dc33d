#include "profiler/measure/conditions.h"

#include <fmt/format.h>

#include "profiler/measure/core_speed.h"

namespace rightsize {
namespace {

constexpr double steal_limit = 0.05;
constexpr double idle_floor = 0.03;

// Waiting that others may have caused; a run under a limit makes pressure of its own.
std::optional<std::string> pressure_note(const Surroundings& seen) {
  constexpr double high = 0.2;
  constexpr double least_neighbour = 0.2;
  const auto& pressure = seen.machine_pressure;
  if (pressure.cpu_some.value_or(0) < high || seen.neighbour_cpus < least_neighbour) {
    return std::nullopt;
  }
  const auto part = [](std::string_view name, const std::optional<double>& share) {
    return share ? fmt::format(", for {} {:.0f} %", name, 100 * *share) : std::string();
  };
  return fmt::format(
      "pressure (PSI): {:.0f} % of the time some task waited for a CPU{}{}, while other processes "
      "kept {:.1f} CPUs busy",
      100 * *pressure.cpu_some,
      part("the disk", pressure.io_some),
      part("memory", pressure.memory_some),
      seen.neighbour_cpus);
}

}  // namespace

void fill_conditions(const Surroundings& seen, Record& record) {
  record.steal_share = seen.steal_share;
  record.neighbour_cpus = seen.neighbour_cpus;
  const PressureShares silent;
  if (seen.group_pressure != silent) {
    record.pressure = seen.group_pressure;
    record.pressure.of = "run";
  } else if (seen.machine_pressure != silent) {
    record.pressure = seen.machine_pressure;
    record.pressure.of = "machine";
  }
  if (auto note = pressure_note(seen)) {
    record.throttle_notes.push_back(std::move(*note));
  }
  record.core_speed = seen.core_speed;
  auto note = seen.core_speed ? core_speed_note(*seen.core_speed) : std::nullopt;
  if (note) {
    record.throttle_notes.push_back(std::move(*note));
  }
}

std::string doubt_about_conditions(const Surroundings& seen, const Record& record) {
  if (seen.steal_share > steal_limit) {
    return fmt::format("the hypervisor took {:.0f} % of the CPU time away; run it again",
                       100 * seen.steal_share);
  }
  constexpr double least_neighbour = 0.2;
  const bool wanted_more =
      record.limits.cpus <= 0 || record.achieved_cpus < 0.95 * record.limits.cpus;
  if (seen.idle_share < idle_floor && seen.neighbour_cpus > least_neighbour && wanted_more) {
    return fmt::format(
        "other processes kept {:.1f} CPUs busy and no CPU was idle; stop them, or lower --cpus",
        seen.neighbour_cpus);
  }
  return seen.core_speed ? core_speed_doubt(*seen.core_speed) : "";
}

}  // namespace rightsize
