// How many vCPUs programs of the user's can use: one may be serial, whatever machine it is on.
#pragma once

#include <limits>
#include <map>
#include <span>
#include <string>

#include "profiler/record.h"

namespace rightsize {

struct ProgramCpus {
  double seen = 1;  // vCPUs it was measured on, the most; up to one a serial program has them all
  double most = std::numeric_limits<double>::infinity();  // that it used where it had more
};

// By the name of the program (Workload::network). A run with no limit but that of its vCPUs that
// used less than nine tenths of them while the machine had some left shows what it can use, trusted
// or not.
[[nodiscard]] std::map<std::string, ProgramCpus> program_cpus(std::span<const Record> records);

}  // namespace rightsize
