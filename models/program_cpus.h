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
  double most = std::numeric_limits<double>::infinity();  // that it can use of any number
  int batch = 0;                                          // items of its step, the most of any run
  bool beside_gpu = false;    // a GPU was there: what it left idle may be that one's doing
  double resident_bytes = 0;  // of host memory without the page cache, the most of any run
};

// One of them as a fitted model knows it.
struct ProgramWork {
  ProgramCpus cpus;
  Phase phase = Phase::train;  // that its runs are filed under, and so
  Precision precision = Precision::fp32;
  double cpu_s_per_item = 0;  // vCPU-seconds of the model's machine, at its own items per step
  double log_sd = 0;          // of ln(cpu_s_per_item), stretched by the model's conformal factor
};

// By the name of the program (Workload::network), of runs that are not held out. Those with no
// limit but that of their vCPUs show how many it uses, trusted or not; where it leaves some idle
// because a part of it is serial it may still use more of more: the law of scaling says how much.
[[nodiscard]] std::map<std::string, ProgramCpus> program_cpus(std::span<const Record> records);

}  // namespace rightsize
