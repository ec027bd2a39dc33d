// Another machine on this one: what a setting grants, as limits that can be imposed here and a
// replayed accelerator. Where this machine is too small, everything shrinks by the same factor.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "models/setting.h"
#include "profiler/limits.h"
#include "profiler/machine.h"

namespace rightsize {

struct Emulation {
  Limits limits;
  double replay_items_per_s = 0;   // 0: the CPU does the network
  double scale = 1;                // rates measured here, divided by this, are those of the machine
  std::vector<std::string> notes;  // what differs from the machine that was asked for
};

// Nothing of the machine can be shown here.
class EmulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `setting.cpu_speed` is that of one of its vCPUs against one of `here`: a slower vCPU is a smaller
// quota. Throws EmulationError when its scale would fall below 1/64.
[[nodiscard]] Emulation emulate(const Setting& setting, const Machine& here);

}  // namespace rightsize
