// Pressure stall information: how long tasks waited for what they lacked (the kernel's
// Documentation/accounting/psi.rst). Of the whole machine a task held back by its own quota counts
// too, so that pressure tells of others only together with CPUs that others kept busy; a group of
// cgroup v2 has figures of its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "profiler/record.h"

namespace rightsize {

// Seconds since the boot, or since the group was made, in which some task waited, and in which all
// did; nullopt where this kernel does not say.
struct Stalled {
  std::optional<double> some_s;
  std::optional<double> full_s;
};
struct Pressure {
  Stalled cpu;
  Stalled io;
  Stalled memory;
};

// Reads /proc/pressure under `root`. Never throws.
[[nodiscard]] Pressure read_pressure(const std::string& root = "/");
// Reads {cpu,io,memory}.pressure in the folder of a group. Never throws.
[[nodiscard]] Pressure read_group_pressure(const std::string& folder);

// The totals of the lines "some" and "full" in seconds.
[[nodiscard]] Stalled parse_pressure(std::string_view text);

// The shares of `wall_s` between two readings; nothing of what either does not say.
[[nodiscard]] PressureShares pressure_shares(const Pressure& before,
                                             const Pressure& after,
                                             double wall_s);

}  // namespace rightsize
