// How many vCPUs programs of the user's can use: one may be serial, whatever machine it is on.
#pragma once

#include <limits>
#include <map>
#include <span>
#include <string>

#include "profiler/record.h"

namespace rightsize {

struct ProgramCpus {
  double seen = 1;                                        // vCPUs it was measured on, the most
  double most = std::numeric_limits<double>::infinity();  // that it used where it had more
};

// By the name of the program (Workload::network). A run that used less than nine tenths of its
// vCPUs while the machine had some left shows what it can use, untrusted ones too.
[[nodiscard]] std::map<std::string, ProgramCpus> program_cpus(std::span<const Record> records);

}  // namespace rightsize
