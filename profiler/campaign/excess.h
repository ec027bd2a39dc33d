// A limit above what the machine has takes nothing away: the record would tell of a machine that
// nobody measured.
#pragma once

#include <optional>
#include <string>

#include "profiler/limits.h"
#include "profiler/machine.h"

namespace rightsize {

// "cpus = 9: this machine has 2", or memory so; nullopt when the machine has what is asked for, or
// does not say what it has. GPU memory is its engine's own affair.
[[nodiscard]] std::optional<std::string> excess_over(const Machine& machine, const Limits& limits);

}  // namespace rightsize
