// The CPUs of price tables: which names the laws know, and what to make of those of other people's
// files.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "pricing/cpu_check.h"

namespace rightsize::cli {

// Of a name in the column Cpu, for `prices check`: what is wrong with it, with the nearest name
// known.
[[nodiscard]] CpuDoubt cpu_doubt();

// Of an instance type and what a file calls its CPU (AWS's Physical Processor): that name, where a
// law knows it; "" where none does, and of the EC2 types whose very model, clock and CoreMark are
// known, of which AWS's "Intel Xeon Platinum 8259 (Cascade Lake)" says less.
[[nodiscard]] std::function<std::string(std::string_view, std::string_view)> imported_cpu_name();

}  // namespace rightsize::cli
