// Pressure stall information: how long tasks waited for what they lacked (the kernel's
// Documentation/accounting/psi.rst). Of the whole machine: a task held back by its own quota counts
// too, so that pressure tells of others only together with CPUs that others kept busy.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rightsize {

// Seconds since the boot in which some task waited; nullopt where this kernel does not say.
struct Pressure {
  std::optional<double> cpu_s;
  std::optional<double> io_s;
  std::optional<double> memory_s;
};

// Reads /proc/pressure under `root`. Never throws.
[[nodiscard]] Pressure read_pressure(const std::string& root = "/");

// The total of the line "some" in seconds; nullopt when the text has none.
[[nodiscard]] std::optional<double> some_total_s(std::string_view text);

}  // namespace rightsize
